-- CreateTable
CREATE TABLE "users" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "name_folded" TEXT,
    "email" TEXT NOT NULL,
    "password" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "articles" (
    "id" UUID NOT NULL,
    "title" TEXT NOT NULL,
    "subtitle" TEXT,
    "author_id" INTEGER NOT NULL,
    "reviewer_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "articles_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "categories" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "parent_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "categories_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "comments" (
    "id" SERIAL NOT NULL,
    "body" TEXT NOT NULL,
    "commentable_type" TEXT,
    "commentable_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "comments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "notes" (
    "id" SERIAL NOT NULL,
    "text" TEXT NOT NULL,
    "user_id" INTEGER,
    "article_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "notes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "pictures" (
    "id" SERIAL NOT NULL,
    "url" TEXT NOT NULL,
    "imageable_type" TEXT,
    "imageable_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "pictures_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "profiles" (
    "id" SERIAL NOT NULL,
    "biography" TEXT NOT NULL,
    "person_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "profiles_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "samples" (
    "id" UUID NOT NULL,
    "field" TEXT,
    "text" TEXT NOT NULL,
    "textarea" TEXT,
    "textarea_folded" TEXT,
    "number" INTEGER NOT NULL DEFAULT 1,
    "integer" INTEGER NOT NULL,
    "float" DOUBLE PRECISION NOT NULL,
    "decimal" DECIMAL(12,3) NOT NULL DEFAULT 9.900,
    "boolean" BOOLEAN NOT NULL,
    "toggle" BOOLEAN NOT NULL DEFAULT true,
    "date" DATE NOT NULL DEFAULT '2026-02-03 00:00:00 +00:00',
    "date_time" TIMESTAMPTZ(3) NOT NULL DEFAULT '2026-02-03 02:05:06 +00:00',
    "json" JSONB NOT NULL DEFAULT '{"list":[1,"two",null],"nested":{"deep":true}}',
    "multi_select" JSONB NOT NULL DEFAULT '["mon"]',
    "email" TEXT NOT NULL,
    "password" TEXT NOT NULL,
    "uuid" UUID,
    "select" TEXT NOT NULL DEFAULT 'draft',
    "secret" TEXT,
    "stamp" TEXT NOT NULL DEFAULT 'new',
    "filled" INTEGER,
    "described" TEXT,
    "renamed" TEXT,
    "maybe_date" DATE,
    "maybe_json" JSONB,
    "maybe_decimal" DECIMAL(5,0),
    "maybe_days" JSONB,
    "maybe_kind" TEXT,
    "maybe_boolean" BOOLEAN,
    "maybe_float" DOUBLE PRECISION,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "samples_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tags" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "tags_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "teams" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "teams_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "article_category" (
    "article_id" UUID NOT NULL,
    "category_id" INTEGER NOT NULL,
    "position" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "article_category_pkey" PRIMARY KEY ("article_id","category_id")
);

-- CreateTable
CREATE TABLE "article_editors" (
    "article_id" UUID NOT NULL,
    "user_id" INTEGER NOT NULL,

    CONSTRAINT "article_editors_pkey" PRIMARY KEY ("article_id","user_id")
);

-- CreateTable
CREATE TABLE "follows" (
    "followed_id" INTEGER NOT NULL,
    "follower_id" INTEGER NOT NULL,

    CONSTRAINT "follows_pkey" PRIMARY KEY ("followed_id","follower_id")
);

-- CreateTable
CREATE TABLE "taggables" (
    "taggable_type" TEXT NOT NULL,
    "taggable_id" TEXT NOT NULL,
    "tag_id" UUID NOT NULL,
    "weight" INTEGER,

    CONSTRAINT "taggables_pkey" PRIMARY KEY ("taggable_type","taggable_id","tag_id")
);

-- CreateTable
CREATE TABLE "team_user" (
    "team_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "role" TEXT NOT NULL DEFAULT 'member',
    "joined_at" TIMESTAMPTZ(3),

    CONSTRAINT "team_user_pkey" PRIMARY KEY ("team_id","user_id")
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
CREATE INDEX "articles_title_idx" ON "articles"("title");

-- CreateIndex
CREATE INDEX "articles_author_id_id_idx" ON "articles"("author_id", "id");

-- CreateIndex
CREATE INDEX "articles_reviewer_id_id_idx" ON "articles"("reviewer_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "categories_name_key" ON "categories"("name");

-- CreateIndex
CREATE INDEX "categories_parent_id_id_idx" ON "categories"("parent_id", "id");

-- CreateIndex
CREATE INDEX "comments_commentable_type_commentable_id_id_idx" ON "comments"("commentable_type", "commentable_id", "id");

-- CreateIndex
CREATE INDEX "notes_user_id_id_idx" ON "notes"("user_id", "id");

-- CreateIndex
CREATE INDEX "notes_article_id_id_idx" ON "notes"("article_id", "id");

-- CreateIndex
CREATE INDEX "pictures_imageable_type_imageable_id_id_idx" ON "pictures"("imageable_type", "imageable_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "profiles_person_id_key" ON "profiles"("person_id");

-- CreateIndex
CREATE UNIQUE INDEX "samples_text_key" ON "samples"("text");

-- CreateIndex
CREATE UNIQUE INDEX "samples_email_key" ON "samples"("email");

-- CreateIndex
CREATE UNIQUE INDEX "samples_uuid_key" ON "samples"("uuid");

-- CreateIndex
CREATE INDEX "samples_field_idx" ON "samples"("field");

-- CreateIndex
CREATE INDEX "samples_number_idx" ON "samples"("number");

-- CreateIndex
CREATE INDEX "samples_integer_idx" ON "samples"("integer");

-- CreateIndex
CREATE INDEX "samples_float_idx" ON "samples"("float");

-- CreateIndex
CREATE INDEX "samples_decimal_idx" ON "samples"("decimal");

-- CreateIndex
CREATE INDEX "samples_boolean_idx" ON "samples"("boolean");

-- CreateIndex
CREATE INDEX "samples_date_idx" ON "samples"("date");

-- CreateIndex
CREATE INDEX "samples_date_time_idx" ON "samples"("date_time");

-- CreateIndex
CREATE INDEX "samples_select_idx" ON "samples"("select");

-- CreateIndex
CREATE INDEX "samples_maybe_date_idx" ON "samples"("maybe_date");

-- CreateIndex
CREATE INDEX "samples_maybe_decimal_idx" ON "samples"("maybe_decimal");

-- CreateIndex
CREATE INDEX "samples_created_at_idx" ON "samples"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "tags_name_key" ON "tags"("name");

-- CreateIndex
CREATE INDEX "article_category_category_id_article_id_idx" ON "article_category"("category_id", "article_id");

-- CreateIndex
CREATE INDEX "article_editors_user_id_article_id_idx" ON "article_editors"("user_id", "article_id");

-- CreateIndex
CREATE INDEX "follows_follower_id_followed_id_idx" ON "follows"("follower_id", "followed_id");

-- CreateIndex
CREATE INDEX "taggables_tag_id_idx" ON "taggables"("tag_id");

-- CreateIndex
CREATE INDEX "team_user_user_id_team_id_idx" ON "team_user"("user_id", "team_id");

-- CreateIndex
CREATE UNIQUE INDEX "personal_access_tokens_token_key" ON "personal_access_tokens"("token");

-- CreateIndex
CREATE INDEX "personal_access_tokens_user_id_idx" ON "personal_access_tokens"("user_id");

-- CreateIndex
CREATE INDEX "rate_limits_expires_at_idx" ON "rate_limits"("expires_at");

-- AddForeignKey
ALTER TABLE "articles" ADD CONSTRAINT "articles_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "articles" ADD CONSTRAINT "articles_reviewer_id_fkey" FOREIGN KEY ("reviewer_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "categories" ADD CONSTRAINT "categories_parent_id_fkey" FOREIGN KEY ("parent_id") REFERENCES "categories"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notes" ADD CONSTRAINT "notes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notes" ADD CONSTRAINT "notes_article_id_fkey" FOREIGN KEY ("article_id") REFERENCES "articles"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "profiles" ADD CONSTRAINT "profiles_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "article_category" ADD CONSTRAINT "article_category_article_id_fkey" FOREIGN KEY ("article_id") REFERENCES "articles"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "article_category" ADD CONSTRAINT "article_category_category_id_fkey" FOREIGN KEY ("category_id") REFERENCES "categories"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "article_editors" ADD CONSTRAINT "article_editors_article_id_fkey" FOREIGN KEY ("article_id") REFERENCES "articles"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "article_editors" ADD CONSTRAINT "article_editors_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "follows" ADD CONSTRAINT "follows_followed_id_fkey" FOREIGN KEY ("followed_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "follows" ADD CONSTRAINT "follows_follower_id_fkey" FOREIGN KEY ("follower_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "taggables" ADD CONSTRAINT "taggables_tag_id_fkey" FOREIGN KEY ("tag_id") REFERENCES "tags"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "team_user" ADD CONSTRAINT "team_user_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "team_user" ADD CONSTRAINT "team_user_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "personal_access_tokens" ADD CONSTRAINT "personal_access_tokens_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- CreateIndex
CREATE UNIQUE INDEX "users_email_any_case" ON "users"(lower("email" COLLATE "C"));

-- CreateTrigger
CREATE FUNCTION "comments_commentable_morph"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."commentable_type" IS NULL OR NEW."commentable_id" IS NULL THEN RETURN NEW; END IF;
  IF NEW."commentable_type" = 'articles' THEN
    PERFORM 1 FROM "articles" WHERE "id" = (CASE WHEN NEW."commentable_id" ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN NEW."commentable_id"::uuid END) FOR KEY SHARE;
    IF FOUND THEN RETURN NEW; END IF;
  END IF;
  IF NEW."commentable_type" = 'comments' THEN
    PERFORM 1 FROM "comments" WHERE "id" = (CASE WHEN NEW."commentable_id" ~ '^[1-9][0-9]{0,9}$' THEN NEW."commentable_id"::bigint END) FOR KEY SHARE;
    IF FOUND THEN RETURN NEW; END IF;
  END IF;
  RAISE foreign_key_violation USING MESSAGE = 'a row of "comments" points at no record', TABLE = 'comments', COLUMN = 'commentable_id';
END $$;

-- CreateTrigger
CREATE TRIGGER "comments_commentable_morph" BEFORE INSERT OR UPDATE OF "commentable_type", "commentable_id" ON "comments"
FOR EACH ROW EXECUTE FUNCTION "comments_commentable_morph"();

-- CreateTrigger
CREATE FUNCTION "comments_commentable_morph_articles"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM "comments" WHERE "commentable_type" = 'articles' AND "commentable_id" BETWEEN OLD."id"::text AND OLD."id"::text) THEN
    RAISE foreign_key_violation USING MESSAGE = 'rows of "comments" still point at it', TABLE = 'comments';
  END IF;
  RETURN NULL;
END $$;

-- CreateTrigger
CREATE TRIGGER "comments_commentable_morph_articles" AFTER DELETE ON "articles"
FOR EACH ROW EXECUTE FUNCTION "comments_commentable_morph_articles"();

-- CreateTrigger
CREATE FUNCTION "comments_commentable_morph_articles__moved"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "comments" SET "commentable_id" = NEW."id"::text WHERE "commentable_type" = 'articles' AND "commentable_id" BETWEEN OLD."id"::text AND OLD."id"::text;
  RETURN NULL;
END $$;

-- CreateTrigger
CREATE TRIGGER "comments_commentable_morph_articles__moved" AFTER UPDATE OF "id" ON "articles"
FOR EACH ROW WHEN (NEW."id" <> OLD."id") EXECUTE FUNCTION "comments_commentable_morph_articles__moved"();

-- CreateTrigger
CREATE FUNCTION "comments_commentable_morph_comments"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "comments" WHERE "commentable_type" = 'comments' AND "commentable_id" BETWEEN OLD."id"::text AND OLD."id"::text;
  RETURN NULL;
END $$;

-- CreateTrigger
CREATE TRIGGER "comments_commentable_morph_comments" AFTER DELETE ON "comments"
FOR EACH ROW EXECUTE FUNCTION "comments_commentable_morph_comments"();

-- CreateTrigger
CREATE FUNCTION "comments_commentable_morph_comments__moved"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "comments" SET "commentable_id" = NEW."id"::text WHERE "commentable_type" = 'comments' AND "commentable_id" BETWEEN OLD."id"::text AND OLD."id"::text;
  RETURN NULL;
END $$;

-- CreateTrigger
CREATE TRIGGER "comments_commentable_morph_comments__moved" AFTER UPDATE OF "id" ON "comments"
FOR EACH ROW WHEN (NEW."id" <> OLD."id") EXECUTE FUNCTION "comments_commentable_morph_comments__moved"();

-- CreateTrigger
CREATE FUNCTION "pictures_imageable_morph"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."imageable_type" IS NULL OR NEW."imageable_id" IS NULL THEN RETURN NEW; END IF;
  IF NEW."imageable_type" = 'users' THEN
    PERFORM 1 FROM "users" WHERE "id" = (CASE WHEN NEW."imageable_id" ~ '^[1-9][0-9]{0,9}$' THEN NEW."imageable_id"::bigint END) FOR KEY SHARE;
    IF FOUND THEN RETURN NEW; END IF;
  END IF;
  IF NEW."imageable_type" = 'articles' THEN
    PERFORM 1 FROM "articles" WHERE "id" = (CASE WHEN NEW."imageable_id" ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN NEW."imageable_id"::uuid END) FOR KEY SHARE;
    IF FOUND THEN RETURN NEW; END IF;
  END IF;
  RAISE foreign_key_violation USING MESSAGE = 'a row of "pictures" points at no record', TABLE = 'pictures', COLUMN = 'imageable_id';
END $$;

-- CreateTrigger
CREATE TRIGGER "pictures_imageable_morph" BEFORE INSERT OR UPDATE OF "imageable_type", "imageable_id" ON "pictures"
FOR EACH ROW EXECUTE FUNCTION "pictures_imageable_morph"();

-- CreateTrigger
CREATE FUNCTION "pictures_imageable_morph_users"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM "pictures" WHERE "imageable_type" = 'users' AND "imageable_id" BETWEEN OLD."id"::text AND OLD."id"::text) THEN
    RAISE foreign_key_violation USING MESSAGE = 'rows of "pictures" still point at it', TABLE = 'pictures';
  END IF;
  RETURN NULL;
END $$;

-- CreateTrigger
CREATE TRIGGER "pictures_imageable_morph_users" AFTER DELETE ON "users"
FOR EACH ROW EXECUTE FUNCTION "pictures_imageable_morph_users"();

-- CreateTrigger
CREATE FUNCTION "pictures_imageable_morph_users__moved"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "pictures" SET "imageable_id" = NEW."id"::text WHERE "imageable_type" = 'users' AND "imageable_id" BETWEEN OLD."id"::text AND OLD."id"::text;
  RETURN NULL;
END $$;

-- CreateTrigger
CREATE TRIGGER "pictures_imageable_morph_users__moved" AFTER UPDATE OF "id" ON "users"
FOR EACH ROW WHEN (NEW."id" <> OLD."id") EXECUTE FUNCTION "pictures_imageable_morph_users__moved"();

-- CreateTrigger
CREATE FUNCTION "pictures_imageable_morph_articles"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM "pictures" WHERE "imageable_type" = 'articles' AND "imageable_id" BETWEEN OLD."id"::text AND OLD."id"::text) THEN
    RAISE foreign_key_violation USING MESSAGE = 'rows of "pictures" still point at it', TABLE = 'pictures';
  END IF;
  RETURN NULL;
END $$;

-- CreateTrigger
CREATE TRIGGER "pictures_imageable_morph_articles" AFTER DELETE ON "articles"
FOR EACH ROW EXECUTE FUNCTION "pictures_imageable_morph_articles"();

-- CreateTrigger
CREATE FUNCTION "pictures_imageable_morph_articles__moved"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "pictures" SET "imageable_id" = NEW."id"::text WHERE "imageable_type" = 'articles' AND "imageable_id" BETWEEN OLD."id"::text AND OLD."id"::text;
  RETURN NULL;
END $$;

-- CreateTrigger
CREATE TRIGGER "pictures_imageable_morph_articles__moved" AFTER UPDATE OF "id" ON "articles"
FOR EACH ROW WHEN (NEW."id" <> OLD."id") EXECUTE FUNCTION "pictures_imageable_morph_articles__moved"();

-- CreateTrigger
CREATE FUNCTION "taggables_taggable_morph"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."taggable_type" IS NULL OR NEW."taggable_id" IS NULL THEN RETURN NEW; END IF;
  IF NEW."taggable_type" = 'articles' THEN
    PERFORM 1 FROM "articles" WHERE "id" = (CASE WHEN NEW."taggable_id" ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN NEW."taggable_id"::uuid END) FOR KEY SHARE;
    IF FOUND THEN RETURN NEW; END IF;
  END IF;
  IF NEW."taggable_type" = 'teams' THEN
    PERFORM 1 FROM "teams" WHERE "id" = (CASE WHEN NEW."taggable_id" ~ '^[1-9][0-9]{0,9}$' THEN NEW."taggable_id"::bigint END) FOR KEY SHARE;
    IF FOUND THEN RETURN NEW; END IF;
  END IF;
  RAISE foreign_key_violation USING MESSAGE = 'a row of "taggables" points at no record', TABLE = 'taggables', COLUMN = 'taggable_id';
END $$;

-- CreateTrigger
CREATE TRIGGER "taggables_taggable_morph" BEFORE INSERT OR UPDATE OF "taggable_type", "taggable_id" ON "taggables"
FOR EACH ROW EXECUTE FUNCTION "taggables_taggable_morph"();

-- CreateTrigger
CREATE FUNCTION "taggables_taggable_morph_articles"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "taggables" WHERE "taggable_type" = 'articles' AND "taggable_id" BETWEEN OLD."id"::text AND OLD."id"::text;
  RETURN NULL;
END $$;

-- CreateTrigger
CREATE TRIGGER "taggables_taggable_morph_articles" AFTER DELETE ON "articles"
FOR EACH ROW EXECUTE FUNCTION "taggables_taggable_morph_articles"();

-- CreateTrigger
CREATE FUNCTION "taggables_taggable_morph_articles__moved"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "taggables" SET "taggable_id" = NEW."id"::text WHERE "taggable_type" = 'articles' AND "taggable_id" BETWEEN OLD."id"::text AND OLD."id"::text;
  RETURN NULL;
END $$;

-- CreateTrigger
CREATE TRIGGER "taggables_taggable_morph_articles__moved" AFTER UPDATE OF "id" ON "articles"
FOR EACH ROW WHEN (NEW."id" <> OLD."id") EXECUTE FUNCTION "taggables_taggable_morph_articles__moved"();

-- CreateTrigger
CREATE FUNCTION "taggables_taggable_morph_teams"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "taggables" WHERE "taggable_type" = 'teams' AND "taggable_id" BETWEEN OLD."id"::text AND OLD."id"::text;
  RETURN NULL;
END $$;

-- CreateTrigger
CREATE TRIGGER "taggables_taggable_morph_teams" AFTER DELETE ON "teams"
FOR EACH ROW EXECUTE FUNCTION "taggables_taggable_morph_teams"();

-- CreateTrigger
CREATE FUNCTION "taggables_taggable_morph_teams__moved"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "taggables" SET "taggable_id" = NEW."id"::text WHERE "taggable_type" = 'teams' AND "taggable_id" BETWEEN OLD."id"::text AND OLD."id"::text;
  RETURN NULL;
END $$;

-- CreateTrigger
CREATE TRIGGER "taggables_taggable_morph_teams__moved" AFTER UPDATE OF "id" ON "teams"
FOR EACH ROW WHEN (NEW."id" <> OLD."id") EXECUTE FUNCTION "taggables_taggable_morph_teams__moved"();
