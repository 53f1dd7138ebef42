-- CreateTable
CREATE TABLE "blog_posts" (
    "id" SERIAL NOT NULL,
    "Größe" TEXT NOT NULL,
    "constructor" TEXT NOT NULL DEFAULT 'new',
    "toString" TEXT,
    "status_id" INTEGER,
    "Person ID" INTEGER NOT NULL,
    "writer_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "blog_posts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "classes" (
    "id" SERIAL NOT NULL,
    "new" TEXT,
    "delete" BOOLEAN NOT NULL DEFAULT false,
    "return" TEXT NOT NULL DEFAULT 'it''s `a` "${default}"\',
    "ORDER BY" TEXT NOT NULL,
    "Group; it's (1), no" TEXT,
    "select" TEXT,
    "type" TEXT,
    "key" TEXT,
    "table" TEXT,
    "user" TEXT,
    "row" TEXT,
    "data" TEXT,
    "meta" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "classes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "data" (
    "id" SERIAL NOT NULL,
    "valueOf" JSONB,
    "hasOwnProperty" JSONB NOT NULL DEFAULT '{"toString":"no","constructor":[]}',
    "default_type" TEXT,
    "default_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "data_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "dates" (
    "id" SERIAL NOT NULL,
    "date" DATE NOT NULL,
    "series_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "dates_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "defaults" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL DEFAULT 'default',
    "function_id" INTEGER,
    "import_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "defaults_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "news" (
    "id" SERIAL NOT NULL,
    "headline" TEXT NOT NULL,
    "series_id" INTEGER,
    "blog_post_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "news_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "people" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "then" TEXT,
    "valueOf" TIMESTAMPTZ(3) NOT NULL,
    "toLocaleString" BOOLEAN NOT NULL,
    "class_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "people_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "policies" (
    "id" SERIAL NOT NULL,
    "the number" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "policies_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "series" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "series_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "statuses" (
    "id" SERIAL NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'null',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "statuses_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "users" (
    "id" SERIAL NOT NULL,
    "email" TEXT NOT NULL,
    "password" TEXT NOT NULL,
    "valueOf" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "class_default" (
    "class_id" INTEGER NOT NULL,
    "default_id" INTEGER NOT NULL,
    "class" TEXT,
    "constructor" TEXT,

    CONSTRAINT "class_default_pkey" PRIMARY KEY ("class_id","default_id")
);

-- CreateTable
CREATE TABLE "friend_person" (
    "friend_id" INTEGER NOT NULL,
    "person_id" INTEGER NOT NULL,

    CONSTRAINT "friend_person_pkey" PRIMARY KEY ("friend_id","person_id")
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
CREATE INDEX "blog_posts_Größe_idx" ON "blog_posts"("Größe");

-- CreateIndex
CREATE INDEX "blog_posts_constructor_idx" ON "blog_posts"("constructor");

-- CreateIndex
CREATE INDEX "blog_posts_toString_idx" ON "blog_posts"("toString");

-- CreateIndex
CREATE INDEX "blog_posts_status_id_id_idx" ON "blog_posts"("status_id", "id");

-- CreateIndex
CREATE INDEX "blog_posts_Person ID_id_idx" ON "blog_posts"("Person ID", "id");

-- CreateIndex
CREATE INDEX "blog_posts_writer_id_id_idx" ON "blog_posts"("writer_id", "id");

-- CreateIndex
CREATE INDEX "blog_posts_toString_id_idx" ON "blog_posts"("toString" DESC NULLS LAST, "id" DESC);

-- CreateIndex
CREATE INDEX "classes_ORDER BY_idx" ON "classes"("ORDER BY");

-- CreateIndex
CREATE INDEX "classes_Group; it's (1), no_idx" ON "classes"("Group; it's (1), no");

-- CreateIndex
CREATE INDEX "classes_Group; it's (1), no_id_idx" ON "classes"("Group; it's (1), no" DESC NULLS LAST, "id" DESC);

-- CreateIndex
CREATE INDEX "data_default_type_default_id_id_idx" ON "data"("default_type", "default_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "dates_series_id_key" ON "dates"("series_id");

-- CreateIndex
CREATE INDEX "defaults_function_id_id_idx" ON "defaults"("function_id", "id");

-- CreateIndex
CREATE INDEX "defaults_import_id_id_idx" ON "defaults"("import_id", "id");

-- CreateIndex
CREATE INDEX "news_series_id_id_idx" ON "news"("series_id", "id");

-- CreateIndex
CREATE INDEX "news_blog_post_id_id_idx" ON "news"("blog_post_id", "id");

-- CreateIndex
CREATE INDEX "people_class_id_id_idx" ON "people"("class_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "policies_the number_key" ON "policies"("the number");

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE INDEX "class_default_default_id_class_id_idx" ON "class_default"("default_id", "class_id");

-- CreateIndex
CREATE INDEX "friend_person_person_id_friend_id_idx" ON "friend_person"("person_id", "friend_id");

-- CreateIndex
CREATE UNIQUE INDEX "personal_access_tokens_token_key" ON "personal_access_tokens"("token");

-- CreateIndex
CREATE INDEX "personal_access_tokens_user_id_idx" ON "personal_access_tokens"("user_id");

-- CreateIndex
CREATE INDEX "rate_limits_expires_at_idx" ON "rate_limits"("expires_at");

-- AddForeignKey
ALTER TABLE "blog_posts" ADD CONSTRAINT "blog_posts_status_id_fkey" FOREIGN KEY ("status_id") REFERENCES "statuses"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "blog_posts" ADD CONSTRAINT "blog_posts_Person ID_fkey" FOREIGN KEY ("Person ID") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "blog_posts" ADD CONSTRAINT "blog_posts_writer_id_fkey" FOREIGN KEY ("writer_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "dates" ADD CONSTRAINT "dates_series_id_fkey" FOREIGN KEY ("series_id") REFERENCES "series"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "defaults" ADD CONSTRAINT "defaults_function_id_fkey" FOREIGN KEY ("function_id") REFERENCES "defaults"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "defaults" ADD CONSTRAINT "defaults_import_id_fkey" FOREIGN KEY ("import_id") REFERENCES "classes"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "news" ADD CONSTRAINT "news_series_id_fkey" FOREIGN KEY ("series_id") REFERENCES "series"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "news" ADD CONSTRAINT "news_blog_post_id_fkey" FOREIGN KEY ("blog_post_id") REFERENCES "blog_posts"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "people" ADD CONSTRAINT "people_class_id_fkey" FOREIGN KEY ("class_id") REFERENCES "classes"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "class_default" ADD CONSTRAINT "class_default_class_id_fkey" FOREIGN KEY ("class_id") REFERENCES "classes"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "class_default" ADD CONSTRAINT "class_default_default_id_fkey" FOREIGN KEY ("default_id") REFERENCES "defaults"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "friend_person" ADD CONSTRAINT "friend_person_friend_id_fkey" FOREIGN KEY ("friend_id") REFERENCES "people"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "friend_person" ADD CONSTRAINT "friend_person_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "personal_access_tokens" ADD CONSTRAINT "personal_access_tokens_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- CreateIndex
CREATE UNIQUE INDEX "users_email_any_case" ON "users"(lower("email" COLLATE "C"));

-- CreateTrigger
CREATE FUNCTION "data_default_morph"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."default_type" IS NULL OR NEW."default_id" IS NULL THEN RETURN NEW; END IF;
  IF NEW."default_type" = 'blog-posts' THEN
    PERFORM 1 FROM "blog_posts" WHERE "id" = NEW."default_id" FOR KEY SHARE;
    IF FOUND THEN RETURN NEW; END IF;
  END IF;
  RAISE foreign_key_violation USING MESSAGE = 'a row of "data" points at no record', TABLE = 'data', COLUMN = 'default_id';
END $$;

-- CreateTrigger
CREATE TRIGGER "data_default_morph" BEFORE INSERT OR UPDATE OF "default_type", "default_id" ON "data"
FOR EACH ROW EXECUTE FUNCTION "data_default_morph"();

-- CreateTrigger
CREATE FUNCTION "data_default_morph_blog-posts"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM "data" WHERE "default_type" = 'blog-posts' AND "default_id" BETWEEN OLD."id" AND OLD."id") THEN
    RAISE foreign_key_violation USING MESSAGE = 'rows of "data" still point at it', TABLE = 'data';
  END IF;
  RETURN NULL;
END $$;

-- CreateTrigger
CREATE TRIGGER "data_default_morph_blog-posts" AFTER DELETE ON "blog_posts"
FOR EACH ROW EXECUTE FUNCTION "data_default_morph_blog-posts"();

-- CreateTrigger
CREATE FUNCTION "data_default_morph_blog-posts__moved"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "data" SET "default_id" = NEW."id" WHERE "default_type" = 'blog-posts' AND "default_id" BETWEEN OLD."id" AND OLD."id";
  RETURN NULL;
END $$;

-- CreateTrigger
CREATE TRIGGER "data_default_morph_blog-posts__moved" AFTER UPDATE OF "id" ON "blog_posts"
FOR EACH ROW WHEN (NEW."id" <> OLD."id") EXECUTE FUNCTION "data_default_morph_blog-posts__moved"();
