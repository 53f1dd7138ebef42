import 'reflect-metadata'
import { ApolloDriver } from '@nestjs/apollo'
import {
  BadRequestException,
  Body,
  Controller,
  Get,
  Inject,
  Injectable,
  Module,
  NotFoundException,
  Param,
  ParseIntPipe,
  Post,
  Query,
  Req,
  UnauthorizedException,
  UseGuards,
} from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import {
  Args,
  Context,
  Field,
  GqlExecutionContext,
  GraphQLModule,
  ID,
  Int,
  ObjectType,
  Parent,
  Query as GraphQLQuery,
  ResolveField,
  Resolver,
} from '@nestjs/graphql'
import DataLoader from 'dataloader'
import { openPrisma, postsWithComments, visible } from '../shared/prisma.js'
import { isValid, readToken } from '../shared/token.js'

const PRISMA = Symbol('prisma')
const orderBy = { id: 'desc' }

@Injectable()
class TokenGuard {
  constructor(@Inject(PRISMA) prisma) {
    this.prisma = prisma
  }

  async canActivate(context) {
    const isHttp = context.getType() === 'http'
    const request = isHttp
      ? context.switchToHttp().getRequest()
      : GqlExecutionContext.create(context).getContext().req
    const { id, secret } = readToken(request.headers.authorization)
    const row = await this.prisma.personalAccessToken.findUnique({
      where: { id: id || 0 },
      select: { token: true, expires_at: true, user_id: true },
    })
    if (!isValid(secret, row)) throw new UnauthorizedException()
    request.user = row.user_id
    return true
  }
}

@Controller('posts')
@UseGuards(TokenGuard)
class PostsController {
  constructor(@Inject(PRISMA) prisma) {
    this.prisma = prisma
  }

  @Get()
  async index(@Req() { user }, @Query('page') page) {
    const where = visible(user)
    const skip = (Number(page ?? 1) - 1) * 15
    const [data, total] = await Promise.all([
      this.prisma.post.findMany({ where, orderBy, take: 15, skip }),
      this.prisma.post.count({ where }),
    ])
    return { data, total }
  }

  @Get(':id')
  async show(@Req() { user }, @Param('id', ParseIntPipe) id) {
    const row = await this.prisma.post.findFirst({ where: { id, ...visible(user) } })
    if (row === null) throw new NotFoundException()
    return row
  }

  @Post()
  store(@Req() { user }, @Body() { title, description = null, published_at = null }) {
    if (typeof title !== 'string' || title.length > 160) throw new BadRequestException('title')
    const published = published_at && new Date(published_at)
    return this.prisma.post.create({
      data: { title, description, published_at: published, owner_id: user },
    })
  }
}

@Controller('users')
@UseGuards(TokenGuard)
class UsersController {
  constructor(@Inject(PRISMA) prisma) {
    this.prisma = prisma
  }

  @Get()
  async index(@Req() { user }, @Query('page') page) {
    const skip = (Number(page ?? 1) - 1) * 15
    const [data, total] = await Promise.all([
      this.prisma.user.findMany({
        orderBy,
        take: 15,
        skip,
        omit: { password: true },
        include: postsWithComments(user),
      }),
      this.prisma.user.count(),
    ])
    return { data, total }
  }
}

@ObjectType('User')
class UserType {
  @Field(() => ID)
  id
  @Field(() => String, { nullable: true })
  name
}

@ObjectType('Post')
class PostType {
  @Field(() => ID)
  id
  @Field(() => String, { nullable: true })
  title
  @Field(() => UserType, { nullable: true })
  owner
}

@Resolver(() => PostType)
class PostsResolver {
  constructor(@Inject(PRISMA) prisma) {
    this.prisma = prisma
  }

  @GraphQLQuery(() => [PostType])
  @UseGuards(TokenGuard)
  postList(
    @Context() { req },
    @Args('first', { type: () => Int, defaultValue: 15 }) first,
    @Args('page', { type: () => Int, defaultValue: 1 }) page,
  ) {
    const take = Math.min(first, 100)
    const skip = (page - 1) * take
    return this.prisma.post.findMany({ where: visible(req.user), orderBy, take, skip })
  }

  @ResolveField('owner', () => UserType, { nullable: true })
  owner(@Parent() { owner_id }, @Context() context) {
    context.owners ??= new DataLoader(async (ids) => {
      const rows = await this.prisma.user.findMany({ where: { id: { in: [...ids] } } })
      const byId = new Map(rows.map((row) => [row.id, row]))
      return ids.map((id) => byId.get(id) ?? null)
    })
    return context.owners.load(owner_id)
  }
}

@Module({
  imports: [
    GraphQLModule.forRoot({
      driver: ApolloDriver,
      autoSchemaFile: true,
      graphiql: false,
      playground: false,
    }),
  ],
  controllers: [PostsController, UsersController],
  providers: [{ provide: PRISMA, useFactory: openPrisma }, TokenGuard, PostsResolver],
})
// oxlint-disable-next-line typescript/no-extraneous-class -- Nest has its modules so
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: ['error'] })
await app.listen(Number(process.env.PORT), '127.0.0.1')
