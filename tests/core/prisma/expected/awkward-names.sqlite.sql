-- CreateTable
CREATE TABLE "blog_posts" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "Größe" TEXT NOT NULL,
    "constructor" TEXT NOT NULL DEFAULT 'new',
    "toString" TEXT,
    "status_id" INTEGER,
    "Person ID" INTEGER NOT NULL,
    "writer_id" INTEGER,
    "created_at" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" DATETIME NOT NULL,
    CONSTRAINT "blog_posts_status_id_fkey" FOREIGN KEY ("status_id") REFERENCES "statuses" ("id") ON DELETE SET NULL ON UPDATE CASCADE,
    CONSTRAINT "blog_posts_Person ID_fkey" FOREIGN KEY ("Person ID") REFERENCES "people" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "blog_posts_writer_id_fkey" FOREIGN KEY ("writer_id") REFERENCES "users" ("id") ON DELETE SET NULL ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "classes" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
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
    "created_at" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "data" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "valueOf" JSONB,
    "hasOwnProperty" JSONB NOT NULL DEFAULT '{"toString":"no","constructor":[]}',
    "default_type" TEXT,
    "default_id" INTEGER,
    "created_at" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "dates" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "date" DATETIME NOT NULL,
    "series_id" INTEGER,
    "created_at" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" DATETIME NOT NULL,
    CONSTRAINT "dates_series_id_fkey" FOREIGN KEY ("series_id") REFERENCES "series" ("id") ON DELETE SET NULL ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "defaults" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "name" TEXT NOT NULL DEFAULT 'default',
    "function_id" INTEGER,
    "import_id" INTEGER,
    "created_at" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" DATETIME NOT NULL,
    CONSTRAINT "defaults_function_id_fkey" FOREIGN KEY ("function_id") REFERENCES "defaults" ("id") ON DELETE SET NULL ON UPDATE CASCADE,
    CONSTRAINT "defaults_import_id_fkey" FOREIGN KEY ("import_id") REFERENCES "classes" ("id") ON DELETE SET NULL ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "news" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "headline" TEXT NOT NULL,
    "series_id" INTEGER,
    "blog_post_id" INTEGER,
    "created_at" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" DATETIME NOT NULL,
    CONSTRAINT "news_series_id_fkey" FOREIGN KEY ("series_id") REFERENCES "series" ("id") ON DELETE SET NULL ON UPDATE CASCADE,
    CONSTRAINT "news_blog_post_id_fkey" FOREIGN KEY ("blog_post_id") REFERENCES "blog_posts" ("id") ON DELETE SET NULL ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "people" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "name" TEXT NOT NULL,
    "then" TEXT,
    "valueOf" DATETIME NOT NULL,
    "toLocaleString" BOOLEAN NOT NULL,
    "class_id" INTEGER,
    "created_at" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" DATETIME NOT NULL,
    CONSTRAINT "people_class_id_fkey" FOREIGN KEY ("class_id") REFERENCES "classes" ("id") ON DELETE SET NULL ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "policies" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "the number" TEXT NOT NULL,
    "created_at" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "series" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "name" TEXT NOT NULL,
    "created_at" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "statuses" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "status" TEXT NOT NULL DEFAULT 'null',
    "created_at" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "users" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "email" TEXT NOT NULL,
    "password" TEXT NOT NULL,
    "valueOf" TEXT,
    "created_at" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "class_default" (
    "class_id" INTEGER NOT NULL,
    "default_id" INTEGER NOT NULL,
    "class" TEXT,
    "constructor" TEXT,

    PRIMARY KEY ("class_id", "default_id"),
    CONSTRAINT "class_default_class_id_fkey" FOREIGN KEY ("class_id") REFERENCES "classes" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "class_default_default_id_fkey" FOREIGN KEY ("default_id") REFERENCES "defaults" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "friend_person" (
    "friend_id" INTEGER NOT NULL,
    "person_id" INTEGER NOT NULL,

    PRIMARY KEY ("friend_id", "person_id"),
    CONSTRAINT "friend_person_friend_id_fkey" FOREIGN KEY ("friend_id") REFERENCES "people" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "friend_person_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people" ("id") ON DELETE CASCADE ON UPDATE CASCADE
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
CREATE INDEX "blog_posts_Größe_idx" ON "blog_posts"("Größe");

-- CreateIndex
CREATE INDEX "blog_posts_constructor_idx" ON "blog_posts"("constructor");

-- CreateIndex
CREATE INDEX "blog_posts_toString_idx" ON "blog_posts"("toString");

-- CreateIndex
CREATE INDEX "blog_posts_status_id_idx" ON "blog_posts"("status_id");

-- CreateIndex
CREATE INDEX "blog_posts_Person ID_idx" ON "blog_posts"("Person ID");

-- CreateIndex
CREATE INDEX "blog_posts_writer_id_idx" ON "blog_posts"("writer_id");

-- CreateIndex
CREATE INDEX "classes_ORDER BY_idx" ON "classes"("ORDER BY");

-- CreateIndex
CREATE INDEX "classes_Group; it's (1), no_idx" ON "classes"("Group; it's (1), no");

-- CreateIndex
CREATE INDEX "data_default_type_default_id_idx" ON "data"("default_type", "default_id");

-- CreateIndex
CREATE UNIQUE INDEX "dates_series_id_key" ON "dates"("series_id");

-- CreateIndex
CREATE INDEX "defaults_function_id_idx" ON "defaults"("function_id");

-- CreateIndex
CREATE INDEX "defaults_import_id_idx" ON "defaults"("import_id");

-- CreateIndex
CREATE INDEX "news_series_id_idx" ON "news"("series_id");

-- CreateIndex
CREATE INDEX "news_blog_post_id_idx" ON "news"("blog_post_id");

-- CreateIndex
CREATE INDEX "people_class_id_idx" ON "people"("class_id");

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

-- CreateIndex
CREATE UNIQUE INDEX "users_email_any_case" ON "users"(lower("email"));

-- CreateTrigger
CREATE TRIGGER "data_default_morph" BEFORE INSERT ON "data"
WHEN NEW."default_type" IS NOT NULL AND NEW."default_id" IS NOT NULL AND NOT ((NEW."default_type" = 'blog-posts' AND EXISTS (SELECT 1 FROM "blog_posts" WHERE "id" = NEW."default_id")))
BEGIN
  SELECT RAISE(ABORT, 'FOREIGN KEY constraint failed: data.default_id');
END;

-- CreateTrigger
CREATE TRIGGER "data_default_morph__update" BEFORE UPDATE OF "default_type", "default_id" ON "data"
WHEN NEW."default_type" IS NOT NULL AND NEW."default_id" IS NOT NULL AND NOT ((NEW."default_type" = 'blog-posts' AND EXISTS (SELECT 1 FROM "blog_posts" WHERE "id" = NEW."default_id")))
BEGIN
  SELECT RAISE(ABORT, 'FOREIGN KEY constraint failed: data.default_id');
END;

-- CreateTrigger
CREATE TRIGGER "data_default_morph_blog-posts" AFTER DELETE ON "blog_posts"
BEGIN
  SELECT RAISE(ABORT, 'FOREIGN KEY constraint failed') WHERE EXISTS (SELECT 1 FROM "data" WHERE "default_type" = 'blog-posts' AND "default_id" BETWEEN OLD."id" AND OLD."id");
END;

-- CreateTrigger
CREATE TRIGGER "data_default_morph_blog-posts__moved" AFTER UPDATE OF "id" ON "blog_posts"
WHEN NEW."id" <> OLD."id"
BEGIN
  UPDATE "data" SET "default_id" = NEW."id" WHERE "default_type" = 'blog-posts' AND "default_id" BETWEEN OLD."id" AND OLD."id";
END;
