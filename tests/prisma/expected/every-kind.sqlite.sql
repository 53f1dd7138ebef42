-- CreateTable
CREATE TABLE "users" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "name" TEXT NOT NULL,
    "name_folded" TEXT,
    "email" TEXT NOT NULL,
    "password" TEXT NOT NULL,
    "created_at" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "articles" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "title" TEXT NOT NULL,
    "subtitle" TEXT,
    "author_id" INTEGER NOT NULL,
    "reviewer_id" INTEGER,
    "created_at" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" DATETIME NOT NULL,
    CONSTRAINT "articles_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "users" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "articles_reviewer_id_fkey" FOREIGN KEY ("reviewer_id") REFERENCES "users" ("id") ON DELETE SET NULL ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "categories" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "name" TEXT NOT NULL,
    "parent_id" INTEGER,
    "created_at" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" DATETIME NOT NULL,
    CONSTRAINT "categories_parent_id_fkey" FOREIGN KEY ("parent_id") REFERENCES "categories" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "comments" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "body" TEXT NOT NULL,
    "commentable_type" TEXT,
    "commentable_id" TEXT,
    "created_at" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "notes" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "text" TEXT NOT NULL,
    "user_id" INTEGER,
    "article_id" TEXT,
    "created_at" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" DATETIME NOT NULL,
    CONSTRAINT "notes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE SET NULL ON UPDATE CASCADE,
    CONSTRAINT "notes_article_id_fkey" FOREIGN KEY ("article_id") REFERENCES "articles" ("id") ON DELETE SET NULL ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "pictures" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "url" TEXT NOT NULL,
    "imageable_type" TEXT,
    "imageable_id" TEXT,
    "created_at" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "profiles" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "biography" TEXT NOT NULL,
    "person_id" INTEGER NOT NULL,
    "created_at" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" DATETIME NOT NULL,
    CONSTRAINT "profiles_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "samples" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "field" TEXT,
    "text" TEXT NOT NULL,
    "textarea" TEXT,
    "textarea_folded" TEXT,
    "number" INTEGER NOT NULL DEFAULT 1,
    "integer" INTEGER NOT NULL,
    "float" REAL NOT NULL,
    "decimal" DECIMAL(12,3) NOT NULL DEFAULT 9.900 CHECK ("decimal" = round("decimal" * 1000) / 1000 AND "decimal" BETWEEN -999999999.999 AND 999999999.999),
    "boolean" BOOLEAN NOT NULL,
    "toggle" BOOLEAN NOT NULL DEFAULT true,
    "date" DATETIME NOT NULL DEFAULT '2026-02-03T00:00:00.000+00:00',
    "date_time" DATETIME NOT NULL DEFAULT '2026-02-03T02:05:06.000+00:00',
    "json" JSONB NOT NULL DEFAULT '{"list":[1,"two",null],"nested":{"deep":true}}',
    "multi_select" JSONB NOT NULL DEFAULT '["mon"]',
    "email" TEXT NOT NULL,
    "password" TEXT NOT NULL,
    "uuid" TEXT,
    "select" TEXT NOT NULL DEFAULT 'draft',
    "secret" TEXT,
    "stamp" TEXT NOT NULL DEFAULT 'new',
    "filled" INTEGER,
    "described" TEXT,
    "renamed" TEXT,
    "maybe_date" DATETIME,
    "maybe_json" JSONB,
    "maybe_decimal" DECIMAL(5,0) CHECK ("maybe_decimal" = round("maybe_decimal") AND "maybe_decimal" BETWEEN -99999 AND 99999),
    "maybe_days" JSONB,
    "maybe_kind" TEXT,
    "maybe_boolean" BOOLEAN,
    "maybe_float" REAL,
    "created_at" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "tags" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "created_at" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "teams" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "name" TEXT NOT NULL,
    "created_at" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "article_category" (
    "article_id" TEXT NOT NULL,
    "category_id" INTEGER NOT NULL,
    "position" INTEGER NOT NULL DEFAULT 0,

    PRIMARY KEY ("article_id", "category_id"),
    CONSTRAINT "article_category_article_id_fkey" FOREIGN KEY ("article_id") REFERENCES "articles" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "article_category_category_id_fkey" FOREIGN KEY ("category_id") REFERENCES "categories" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "article_editors" (
    "article_id" TEXT NOT NULL,
    "user_id" INTEGER NOT NULL,

    PRIMARY KEY ("article_id", "user_id"),
    CONSTRAINT "article_editors_article_id_fkey" FOREIGN KEY ("article_id") REFERENCES "articles" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "article_editors_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "follows" (
    "followed_id" INTEGER NOT NULL,
    "follower_id" INTEGER NOT NULL,

    PRIMARY KEY ("followed_id", "follower_id"),
    CONSTRAINT "follows_followed_id_fkey" FOREIGN KEY ("followed_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "follows_follower_id_fkey" FOREIGN KEY ("follower_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "taggables" (
    "taggable_type" TEXT NOT NULL,
    "taggable_id" TEXT NOT NULL,
    "tag_id" TEXT NOT NULL,
    "weight" INTEGER,

    PRIMARY KEY ("taggable_type", "taggable_id", "tag_id"),
    CONSTRAINT "taggables_tag_id_fkey" FOREIGN KEY ("tag_id") REFERENCES "tags" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "team_user" (
    "team_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "role" TEXT NOT NULL DEFAULT 'member',
    "joined_at" DATETIME,

    PRIMARY KEY ("team_id", "user_id"),
    CONSTRAINT "team_user_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "team_user_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "personal_access_tokens" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "user_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "expires_at" DATETIME,
    "last_used_at" DATETIME,
    "created_at" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "personal_access_tokens_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "password_resets" (
    "email" TEXT NOT NULL PRIMARY KEY,
    "token" TEXT NOT NULL,
    "created_at" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP
);

-- CreateTable
CREATE TABLE "rate_limits" (
    "key" TEXT NOT NULL PRIMARY KEY,
    "points" INTEGER NOT NULL,
    "expires_at" DATETIME NOT NULL
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
CREATE INDEX "categories_parent_id_idx" ON "categories"("parent_id");

-- CreateIndex
CREATE INDEX "comments_commentable_type_commentable_id_idx" ON "comments"("commentable_type", "commentable_id");

-- CreateIndex
CREATE INDEX "notes_user_id_idx" ON "notes"("user_id");

-- CreateIndex
CREATE INDEX "notes_article_id_idx" ON "notes"("article_id");

-- CreateIndex
CREATE INDEX "pictures_imageable_type_imageable_id_idx" ON "pictures"("imageable_type", "imageable_id");

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

-- CreateIndex
CREATE UNIQUE INDEX "users_email_any_case" ON "users"(lower("email"));

-- CreateTrigger
CREATE TRIGGER "comments_commentable_morph" BEFORE INSERT ON "comments"
WHEN NEW."commentable_type" IS NOT NULL AND NEW."commentable_id" IS NOT NULL AND NOT ((NEW."commentable_type" = 'articles' AND EXISTS (SELECT 1 FROM "articles" WHERE "id" = NEW."commentable_id")) OR (NEW."commentable_type" = 'comments' AND EXISTS (SELECT 1 FROM "comments" WHERE "id" = NEW."commentable_id" AND CAST("id" AS TEXT) = NEW."commentable_id")))
BEGIN
  SELECT RAISE(ABORT, 'FOREIGN KEY constraint failed: comments.commentable_id');
END;

-- CreateTrigger
CREATE TRIGGER "comments_commentable_morph__update" BEFORE UPDATE OF "commentable_type", "commentable_id" ON "comments"
WHEN NEW."commentable_type" IS NOT NULL AND NEW."commentable_id" IS NOT NULL AND NOT ((NEW."commentable_type" = 'articles' AND EXISTS (SELECT 1 FROM "articles" WHERE "id" = NEW."commentable_id")) OR (NEW."commentable_type" = 'comments' AND EXISTS (SELECT 1 FROM "comments" WHERE "id" = NEW."commentable_id" AND CAST("id" AS TEXT) = NEW."commentable_id")))
BEGIN
  SELECT RAISE(ABORT, 'FOREIGN KEY constraint failed: comments.commentable_id');
END;

-- CreateTrigger
CREATE TRIGGER "comments_commentable_morph_articles" AFTER DELETE ON "articles"
BEGIN
  SELECT RAISE(ABORT, 'FOREIGN KEY constraint failed') WHERE EXISTS (SELECT 1 FROM "comments" WHERE "commentable_type" = 'articles' AND "commentable_id" BETWEEN OLD."id" AND OLD."id");
END;

-- CreateTrigger
CREATE TRIGGER "comments_commentable_morph_articles__moved" AFTER UPDATE OF "id" ON "articles"
WHEN NEW."id" <> OLD."id"
BEGIN
  UPDATE "comments" SET "commentable_id" = NEW."id" WHERE "commentable_type" = 'articles' AND "commentable_id" BETWEEN OLD."id" AND OLD."id";
END;

-- CreateTrigger
CREATE TRIGGER "comments_commentable_morph_comments" AFTER DELETE ON "comments"
BEGIN
  DELETE FROM "comments" WHERE "commentable_type" = 'comments' AND "commentable_id" BETWEEN CAST(OLD."id" AS TEXT) AND CAST(OLD."id" AS TEXT);
END;

-- CreateTrigger
CREATE TRIGGER "comments_commentable_morph_comments__moved" AFTER UPDATE OF "id" ON "comments"
WHEN NEW."id" <> OLD."id"
BEGIN
  UPDATE "comments" SET "commentable_id" = CAST(NEW."id" AS TEXT) WHERE "commentable_type" = 'comments' AND "commentable_id" BETWEEN CAST(OLD."id" AS TEXT) AND CAST(OLD."id" AS TEXT);
END;

-- CreateTrigger
CREATE TRIGGER "pictures_imageable_morph" BEFORE INSERT ON "pictures"
WHEN NEW."imageable_type" IS NOT NULL AND NEW."imageable_id" IS NOT NULL AND NOT ((NEW."imageable_type" = 'users' AND EXISTS (SELECT 1 FROM "users" WHERE "id" = NEW."imageable_id" AND CAST("id" AS TEXT) = NEW."imageable_id")) OR (NEW."imageable_type" = 'articles' AND EXISTS (SELECT 1 FROM "articles" WHERE "id" = NEW."imageable_id")))
BEGIN
  SELECT RAISE(ABORT, 'FOREIGN KEY constraint failed: pictures.imageable_id');
END;

-- CreateTrigger
CREATE TRIGGER "pictures_imageable_morph__update" BEFORE UPDATE OF "imageable_type", "imageable_id" ON "pictures"
WHEN NEW."imageable_type" IS NOT NULL AND NEW."imageable_id" IS NOT NULL AND NOT ((NEW."imageable_type" = 'users' AND EXISTS (SELECT 1 FROM "users" WHERE "id" = NEW."imageable_id" AND CAST("id" AS TEXT) = NEW."imageable_id")) OR (NEW."imageable_type" = 'articles' AND EXISTS (SELECT 1 FROM "articles" WHERE "id" = NEW."imageable_id")))
BEGIN
  SELECT RAISE(ABORT, 'FOREIGN KEY constraint failed: pictures.imageable_id');
END;

-- CreateTrigger
CREATE TRIGGER "pictures_imageable_morph_users" AFTER DELETE ON "users"
BEGIN
  SELECT RAISE(ABORT, 'FOREIGN KEY constraint failed') WHERE EXISTS (SELECT 1 FROM "pictures" WHERE "imageable_type" = 'users' AND "imageable_id" BETWEEN CAST(OLD."id" AS TEXT) AND CAST(OLD."id" AS TEXT));
END;

-- CreateTrigger
CREATE TRIGGER "pictures_imageable_morph_users__moved" AFTER UPDATE OF "id" ON "users"
WHEN NEW."id" <> OLD."id"
BEGIN
  UPDATE "pictures" SET "imageable_id" = CAST(NEW."id" AS TEXT) WHERE "imageable_type" = 'users' AND "imageable_id" BETWEEN CAST(OLD."id" AS TEXT) AND CAST(OLD."id" AS TEXT);
END;

-- CreateTrigger
CREATE TRIGGER "pictures_imageable_morph_articles" AFTER DELETE ON "articles"
BEGIN
  SELECT RAISE(ABORT, 'FOREIGN KEY constraint failed') WHERE EXISTS (SELECT 1 FROM "pictures" WHERE "imageable_type" = 'articles' AND "imageable_id" BETWEEN OLD."id" AND OLD."id");
END;

-- CreateTrigger
CREATE TRIGGER "pictures_imageable_morph_articles__moved" AFTER UPDATE OF "id" ON "articles"
WHEN NEW."id" <> OLD."id"
BEGIN
  UPDATE "pictures" SET "imageable_id" = NEW."id" WHERE "imageable_type" = 'articles' AND "imageable_id" BETWEEN OLD."id" AND OLD."id";
END;

-- CreateTrigger
CREATE TRIGGER "taggables_taggable_morph" BEFORE INSERT ON "taggables"
WHEN NEW."taggable_type" IS NOT NULL AND NEW."taggable_id" IS NOT NULL AND NOT ((NEW."taggable_type" = 'articles' AND EXISTS (SELECT 1 FROM "articles" WHERE "id" = NEW."taggable_id")) OR (NEW."taggable_type" = 'teams' AND EXISTS (SELECT 1 FROM "teams" WHERE "id" = NEW."taggable_id" AND CAST("id" AS TEXT) = NEW."taggable_id")))
BEGIN
  SELECT RAISE(ABORT, 'FOREIGN KEY constraint failed: taggables.taggable_id');
END;

-- CreateTrigger
CREATE TRIGGER "taggables_taggable_morph__update" BEFORE UPDATE OF "taggable_type", "taggable_id" ON "taggables"
WHEN NEW."taggable_type" IS NOT NULL AND NEW."taggable_id" IS NOT NULL AND NOT ((NEW."taggable_type" = 'articles' AND EXISTS (SELECT 1 FROM "articles" WHERE "id" = NEW."taggable_id")) OR (NEW."taggable_type" = 'teams' AND EXISTS (SELECT 1 FROM "teams" WHERE "id" = NEW."taggable_id" AND CAST("id" AS TEXT) = NEW."taggable_id")))
BEGIN
  SELECT RAISE(ABORT, 'FOREIGN KEY constraint failed: taggables.taggable_id');
END;

-- CreateTrigger
CREATE TRIGGER "taggables_taggable_morph_articles" AFTER DELETE ON "articles"
BEGIN
  DELETE FROM "taggables" WHERE "taggable_type" = 'articles' AND "taggable_id" BETWEEN OLD."id" AND OLD."id";
END;

-- CreateTrigger
CREATE TRIGGER "taggables_taggable_morph_articles__moved" AFTER UPDATE OF "id" ON "articles"
WHEN NEW."id" <> OLD."id"
BEGIN
  UPDATE "taggables" SET "taggable_id" = NEW."id" WHERE "taggable_type" = 'articles' AND "taggable_id" BETWEEN OLD."id" AND OLD."id";
END;

-- CreateTrigger
CREATE TRIGGER "taggables_taggable_morph_teams" AFTER DELETE ON "teams"
BEGIN
  DELETE FROM "taggables" WHERE "taggable_type" = 'teams' AND "taggable_id" BETWEEN CAST(OLD."id" AS TEXT) AND CAST(OLD."id" AS TEXT);
END;

-- CreateTrigger
CREATE TRIGGER "taggables_taggable_morph_teams__moved" AFTER UPDATE OF "id" ON "teams"
WHEN NEW."id" <> OLD."id"
BEGIN
  UPDATE "taggables" SET "taggable_id" = CAST(NEW."id" AS TEXT) WHERE "taggable_type" = 'teams' AND "taggable_id" BETWEEN CAST(OLD."id" AS TEXT) AND CAST(OLD."id" AS TEXT);
END;
