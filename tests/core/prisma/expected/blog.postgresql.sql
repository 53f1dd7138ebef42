-- CreateTable
CREATE TABLE "users" (
    "id" SERIAL NOT NULL,
    "name" TEXT,
    "email" TEXT NOT NULL,
    "password" TEXT NOT NULL,
    "is_admin" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "companies" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "companies_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "posts" (
    "id" SERIAL NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT,
    "published_at" TIMESTAMPTZ(3),
    "owner_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "posts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "comments" (
    "id" SERIAL NOT NULL,
    "body" TEXT NOT NULL,
    "post_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "comments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "roles" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "roles_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "phones" (
    "id" SERIAL NOT NULL,
    "number" TEXT NOT NULL,
    "user_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "phones_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tags" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "tags_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "images" (
    "id" SERIAL NOT NULL,
    "url" TEXT NOT NULL,
    "imageable_type" TEXT,
    "imageable_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "images_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "company_user" (
    "company_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "is_admin" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "company_user_pkey" PRIMARY KEY ("company_id","user_id")
);

-- CreateTable
CREATE TABLE "role_user" (
    "role_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,

    CONSTRAINT "role_user_pkey" PRIMARY KEY ("role_id","user_id")
);

-- CreateTable
CREATE TABLE "taggables" (
    "taggable_type" TEXT NOT NULL,
    "taggable_id" INTEGER NOT NULL,
    "tag_id" INTEGER NOT NULL,

    CONSTRAINT "taggables_pkey" PRIMARY KEY ("taggable_type","taggable_id","tag_id")
);

-- CreateTable
CREATE TABLE "personal_access_tokens" (
    "id" SERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "personal_access_tokens_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "password_resets" (
    "email" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "password_resets_pkey" PRIMARY KEY ("email")
);

-- CreateTable
CREATE TABLE "rate_limits" (
    "key" TEXT NOT NULL,
    "points" INTEGER NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "rate_limits_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE INDEX "users_name_idx" ON "users"("name");

-- CreateIndex
CREATE INDEX "users_created_at_idx" ON "users"("created_at");

-- CreateIndex
CREATE INDEX "users_name_id_idx" ON "users"("name" DESC NULLS LAST, "id" DESC);

-- CreateIndex
CREATE INDEX "companies_name_idx" ON "companies"("name");

-- CreateIndex
CREATE INDEX "posts_title_idx" ON "posts"("title");

-- CreateIndex
CREATE INDEX "posts_published_at_idx" ON "posts"("published_at");

-- CreateIndex
CREATE INDEX "posts_owner_id_id_idx" ON "posts"("owner_id", "id");

-- CreateIndex
CREATE INDEX "posts_published_at_id_idx" ON "posts"("published_at" DESC NULLS LAST, "id" DESC);

-- CreateIndex
CREATE INDEX "comments_post_id_id_idx" ON "comments"("post_id", "id");

-- CreateIndex
CREATE INDEX "comments_user_id_id_idx" ON "comments"("user_id", "id");

-- CreateIndex
CREATE INDEX "comments_created_at_idx" ON "comments"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "roles_name_key" ON "roles"("name");

-- CreateIndex
CREATE UNIQUE INDEX "phones_user_id_key" ON "phones"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "tags_name_key" ON "tags"("name");

-- CreateIndex
CREATE INDEX "images_imageable_type_imageable_id_id_idx" ON "images"("imageable_type", "imageable_id", "id");

-- CreateIndex
CREATE INDEX "company_user_user_id_company_id_idx" ON "company_user"("user_id", "company_id");

-- CreateIndex
CREATE INDEX "role_user_user_id_role_id_idx" ON "role_user"("user_id", "role_id");

-- CreateIndex
CREATE INDEX "taggables_tag_id_idx" ON "taggables"("tag_id");

-- CreateIndex
CREATE UNIQUE INDEX "personal_access_tokens_token_key" ON "personal_access_tokens"("token");

-- CreateIndex
CREATE INDEX "personal_access_tokens_user_id_idx" ON "personal_access_tokens"("user_id");

-- CreateIndex
CREATE INDEX "rate_limits_expires_at_idx" ON "rate_limits"("expires_at");

-- AddForeignKey
ALTER TABLE "posts" ADD CONSTRAINT "posts_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "comments" ADD CONSTRAINT "comments_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "posts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "comments" ADD CONSTRAINT "comments_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "phones" ADD CONSTRAINT "phones_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "company_user" ADD CONSTRAINT "company_user_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "company_user" ADD CONSTRAINT "company_user_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "role_user" ADD CONSTRAINT "role_user_role_id_fkey" FOREIGN KEY ("role_id") REFERENCES "roles"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "role_user" ADD CONSTRAINT "role_user_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "taggables" ADD CONSTRAINT "taggables_tag_id_fkey" FOREIGN KEY ("tag_id") REFERENCES "tags"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "personal_access_tokens" ADD CONSTRAINT "personal_access_tokens_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- CreateIndex
CREATE UNIQUE INDEX "users_email_any_case" ON "users"(lower("email" COLLATE "C"));

-- CreateTrigger
CREATE FUNCTION "images_imageable_morph"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."imageable_type" IS NULL OR NEW."imageable_id" IS NULL THEN RETURN NEW; END IF;
  IF NEW."imageable_type" = 'posts' THEN
    PERFORM 1 FROM "posts" WHERE "id" = NEW."imageable_id" FOR KEY SHARE;
    IF FOUND THEN RETURN NEW; END IF;
  END IF;
  RAISE foreign_key_violation USING MESSAGE = 'a row of "images" points at no record', TABLE = 'images', COLUMN = 'imageable_id';
END $$;

-- CreateTrigger
CREATE TRIGGER "images_imageable_morph" BEFORE INSERT OR UPDATE OF "imageable_type", "imageable_id" ON "images"
FOR EACH ROW EXECUTE FUNCTION "images_imageable_morph"();

-- CreateTrigger
CREATE FUNCTION "images_imageable_morph_posts"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM "images" WHERE "imageable_type" = 'posts' AND "imageable_id" BETWEEN OLD."id" AND OLD."id") THEN
    RAISE foreign_key_violation USING MESSAGE = 'rows of "images" still point at it', TABLE = 'images';
  END IF;
  RETURN NULL;
END $$;

-- CreateTrigger
CREATE TRIGGER "images_imageable_morph_posts" AFTER DELETE ON "posts"
FOR EACH ROW EXECUTE FUNCTION "images_imageable_morph_posts"();

-- CreateTrigger
CREATE FUNCTION "images_imageable_morph_posts__moved"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "images" SET "imageable_id" = NEW."id" WHERE "imageable_type" = 'posts' AND "imageable_id" BETWEEN OLD."id" AND OLD."id";
  RETURN NULL;
END $$;

-- CreateTrigger
CREATE TRIGGER "images_imageable_morph_posts__moved" AFTER UPDATE OF "id" ON "posts"
FOR EACH ROW WHEN (NEW."id" <> OLD."id") EXECUTE FUNCTION "images_imageable_morph_posts__moved"();

-- CreateTrigger
CREATE FUNCTION "taggables_taggable_morph"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."taggable_type" IS NULL OR NEW."taggable_id" IS NULL THEN RETURN NEW; END IF;
  IF NEW."taggable_type" = 'companies' THEN
    PERFORM 1 FROM "companies" WHERE "id" = NEW."taggable_id" FOR KEY SHARE;
    IF FOUND THEN RETURN NEW; END IF;
  END IF;
  IF NEW."taggable_type" = 'posts' THEN
    PERFORM 1 FROM "posts" WHERE "id" = NEW."taggable_id" FOR KEY SHARE;
    IF FOUND THEN RETURN NEW; END IF;
  END IF;
  RAISE foreign_key_violation USING MESSAGE = 'a row of "taggables" points at no record', TABLE = 'taggables', COLUMN = 'taggable_id';
END $$;

-- CreateTrigger
CREATE TRIGGER "taggables_taggable_morph" BEFORE INSERT OR UPDATE OF "taggable_type", "taggable_id" ON "taggables"
FOR EACH ROW EXECUTE FUNCTION "taggables_taggable_morph"();

-- CreateTrigger
CREATE FUNCTION "taggables_taggable_morph_companies"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "taggables" WHERE "taggable_type" = 'companies' AND "taggable_id" BETWEEN OLD."id" AND OLD."id";
  RETURN NULL;
END $$;

-- CreateTrigger
CREATE TRIGGER "taggables_taggable_morph_companies" AFTER DELETE ON "companies"
FOR EACH ROW EXECUTE FUNCTION "taggables_taggable_morph_companies"();

-- CreateTrigger
CREATE FUNCTION "taggables_taggable_morph_companies__moved"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "taggables" SET "taggable_id" = NEW."id" WHERE "taggable_type" = 'companies' AND "taggable_id" BETWEEN OLD."id" AND OLD."id";
  RETURN NULL;
END $$;

-- CreateTrigger
CREATE TRIGGER "taggables_taggable_morph_companies__moved" AFTER UPDATE OF "id" ON "companies"
FOR EACH ROW WHEN (NEW."id" <> OLD."id") EXECUTE FUNCTION "taggables_taggable_morph_companies__moved"();

-- CreateTrigger
CREATE FUNCTION "taggables_taggable_morph_posts"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "taggables" WHERE "taggable_type" = 'posts' AND "taggable_id" BETWEEN OLD."id" AND OLD."id";
  RETURN NULL;
END $$;

-- CreateTrigger
CREATE TRIGGER "taggables_taggable_morph_posts" AFTER DELETE ON "posts"
FOR EACH ROW EXECUTE FUNCTION "taggables_taggable_morph_posts"();

-- CreateTrigger
CREATE FUNCTION "taggables_taggable_morph_posts__moved"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "taggables" SET "taggable_id" = NEW."id" WHERE "taggable_type" = 'posts' AND "taggable_id" BETWEEN OLD."id" AND OLD."id";
  RETURN NULL;
END $$;

-- CreateTrigger
CREATE TRIGGER "taggables_taggable_morph_posts__moved" AFTER UPDATE OF "id" ON "posts"
FOR EACH ROW WHEN (NEW."id" <> OLD."id") EXECUTE FUNCTION "taggables_taggable_morph_posts__moved"();
