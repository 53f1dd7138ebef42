-- CreateTable
CREATE TABLE "users" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "name" TEXT,
    "email" TEXT NOT NULL,
    "password" TEXT NOT NULL,
    "is_admin" BOOLEAN NOT NULL DEFAULT false,
    "created_at" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "companies" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "name" TEXT NOT NULL,
    "created_at" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "posts" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "title" TEXT NOT NULL,
    "description" TEXT,
    "published_at" DATETIME,
    "owner_id" INTEGER NOT NULL,
    "created_at" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" DATETIME NOT NULL,
    CONSTRAINT "posts_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "users" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "comments" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "body" TEXT NOT NULL,
    "post_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "created_at" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" DATETIME NOT NULL,
    CONSTRAINT "comments_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "posts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "comments_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "roles" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "name" TEXT NOT NULL,
    "created_at" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "phones" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "number" TEXT NOT NULL,
    "user_id" INTEGER NOT NULL,
    "created_at" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" DATETIME NOT NULL,
    CONSTRAINT "phones_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "tags" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "name" TEXT NOT NULL,
    "created_at" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "images" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "url" TEXT NOT NULL,
    "imageable_type" TEXT,
    "imageable_id" INTEGER,
    "created_at" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "company_user" (
    "company_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "is_admin" BOOLEAN NOT NULL DEFAULT false,

    PRIMARY KEY ("company_id", "user_id"),
    CONSTRAINT "company_user_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "company_user_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "role_user" (
    "role_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,

    PRIMARY KEY ("role_id", "user_id"),
    CONSTRAINT "role_user_role_id_fkey" FOREIGN KEY ("role_id") REFERENCES "roles" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "role_user_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "taggables" (
    "taggable_type" TEXT NOT NULL,
    "taggable_id" INTEGER NOT NULL,
    "tag_id" INTEGER NOT NULL,

    PRIMARY KEY ("taggable_type", "taggable_id", "tag_id"),
    CONSTRAINT "taggables_tag_id_fkey" FOREIGN KEY ("tag_id") REFERENCES "tags" ("id") ON DELETE CASCADE ON UPDATE CASCADE
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
CREATE INDEX "users_created_at_idx" ON "users"("created_at");

-- CreateIndex
CREATE INDEX "companies_name_idx" ON "companies"("name");

-- CreateIndex
CREATE INDEX "posts_title_idx" ON "posts"("title");

-- CreateIndex
CREATE INDEX "posts_published_at_idx" ON "posts"("published_at");

-- CreateIndex
CREATE INDEX "posts_owner_id_idx" ON "posts"("owner_id");

-- CreateIndex
CREATE INDEX "comments_post_id_idx" ON "comments"("post_id");

-- CreateIndex
CREATE INDEX "comments_user_id_idx" ON "comments"("user_id");

-- CreateIndex
CREATE INDEX "comments_created_at_idx" ON "comments"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "roles_name_key" ON "roles"("name");

-- CreateIndex
CREATE UNIQUE INDEX "phones_user_id_key" ON "phones"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "tags_name_key" ON "tags"("name");

-- CreateIndex
CREATE INDEX "images_imageable_type_imageable_id_idx" ON "images"("imageable_type", "imageable_id");

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

-- CreateIndex
CREATE UNIQUE INDEX "users_email_any_case" ON "users"(lower("email"));

-- CreateTrigger
CREATE TRIGGER "images_imageable_morph" BEFORE INSERT ON "images"
WHEN NEW."imageable_type" IS NOT NULL AND NEW."imageable_id" IS NOT NULL AND NOT ((NEW."imageable_type" = 'posts' AND EXISTS (SELECT 1 FROM "posts" WHERE "id" = NEW."imageable_id")))
BEGIN
  SELECT RAISE(ABORT, 'FOREIGN KEY constraint failed: images.imageable_id');
END;

-- CreateTrigger
CREATE TRIGGER "images_imageable_morph__update" BEFORE UPDATE OF "imageable_type", "imageable_id" ON "images"
WHEN NEW."imageable_type" IS NOT NULL AND NEW."imageable_id" IS NOT NULL AND NOT ((NEW."imageable_type" = 'posts' AND EXISTS (SELECT 1 FROM "posts" WHERE "id" = NEW."imageable_id")))
BEGIN
  SELECT RAISE(ABORT, 'FOREIGN KEY constraint failed: images.imageable_id');
END;

-- CreateTrigger
CREATE TRIGGER "images_imageable_morph_posts" AFTER DELETE ON "posts"
BEGIN
  SELECT RAISE(ABORT, 'FOREIGN KEY constraint failed') WHERE EXISTS (SELECT 1 FROM "images" WHERE "imageable_type" = 'posts' AND "imageable_id" BETWEEN OLD."id" AND OLD."id");
END;

-- CreateTrigger
CREATE TRIGGER "images_imageable_morph_posts__moved" AFTER UPDATE OF "id" ON "posts"
WHEN NEW."id" <> OLD."id"
BEGIN
  UPDATE "images" SET "imageable_id" = NEW."id" WHERE "imageable_type" = 'posts' AND "imageable_id" BETWEEN OLD."id" AND OLD."id";
END;

-- CreateTrigger
CREATE TRIGGER "taggables_taggable_morph" BEFORE INSERT ON "taggables"
WHEN NEW."taggable_type" IS NOT NULL AND NEW."taggable_id" IS NOT NULL AND NOT ((NEW."taggable_type" = 'companies' AND EXISTS (SELECT 1 FROM "companies" WHERE "id" = NEW."taggable_id")) OR (NEW."taggable_type" = 'posts' AND EXISTS (SELECT 1 FROM "posts" WHERE "id" = NEW."taggable_id")))
BEGIN
  SELECT RAISE(ABORT, 'FOREIGN KEY constraint failed: taggables.taggable_id');
END;

-- CreateTrigger
CREATE TRIGGER "taggables_taggable_morph__update" BEFORE UPDATE OF "taggable_type", "taggable_id" ON "taggables"
WHEN NEW."taggable_type" IS NOT NULL AND NEW."taggable_id" IS NOT NULL AND NOT ((NEW."taggable_type" = 'companies' AND EXISTS (SELECT 1 FROM "companies" WHERE "id" = NEW."taggable_id")) OR (NEW."taggable_type" = 'posts' AND EXISTS (SELECT 1 FROM "posts" WHERE "id" = NEW."taggable_id")))
BEGIN
  SELECT RAISE(ABORT, 'FOREIGN KEY constraint failed: taggables.taggable_id');
END;

-- CreateTrigger
CREATE TRIGGER "taggables_taggable_morph_companies" AFTER DELETE ON "companies"
BEGIN
  DELETE FROM "taggables" WHERE "taggable_type" = 'companies' AND "taggable_id" BETWEEN OLD."id" AND OLD."id";
END;

-- CreateTrigger
CREATE TRIGGER "taggables_taggable_morph_companies__moved" AFTER UPDATE OF "id" ON "companies"
WHEN NEW."id" <> OLD."id"
BEGIN
  UPDATE "taggables" SET "taggable_id" = NEW."id" WHERE "taggable_type" = 'companies' AND "taggable_id" BETWEEN OLD."id" AND OLD."id";
END;

-- CreateTrigger
CREATE TRIGGER "taggables_taggable_morph_posts" AFTER DELETE ON "posts"
BEGIN
  DELETE FROM "taggables" WHERE "taggable_type" = 'posts' AND "taggable_id" BETWEEN OLD."id" AND OLD."id";
END;

-- CreateTrigger
CREATE TRIGGER "taggables_taggable_morph_posts__moved" AFTER UPDATE OF "id" ON "posts"
WHEN NEW."id" <> OLD."id"
BEGIN
  UPDATE "taggables" SET "taggable_id" = NEW."id" WHERE "taggable_type" = 'posts' AND "taggable_id" BETWEEN OLD."id" AND OLD."id";
END;
