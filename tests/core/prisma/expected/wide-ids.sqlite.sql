-- CreateTable
CREATE TABLE "users" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "name" TEXT NOT NULL,
    "name_folded" TEXT,
    "email" TEXT NOT NULL,
    "password" TEXT NOT NULL,
    "is_admin" BOOLEAN NOT NULL DEFAULT false,
    "country_id" TEXT,
    "created_at" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" DATETIME NOT NULL,
    CONSTRAINT "users_country_id_fkey" FOREIGN KEY ("country_id") REFERENCES "countries" ("id") ON DELETE SET NULL ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "channels" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "name" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL DEFAULT 0,
    "parent_id" BIGINT,
    "created_at" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" DATETIME NOT NULL,
    CONSTRAINT "channels_parent_id_fkey" FOREIGN KEY ("parent_id") REFERENCES "channels" ("id") ON DELETE SET NULL ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "messages" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "body" TEXT NOT NULL,
    "sent_at" BIGINT NOT NULL,
    "nonce" BIGINT,
    "channel_id" BIGINT NOT NULL,
    "author_id" BIGINT NOT NULL,
    "created_at" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" DATETIME NOT NULL,
    CONSTRAINT "messages_channel_id_fkey" FOREIGN KEY ("channel_id") REFERENCES "channels" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "messages_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "users" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "countries" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "created_at" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "labels" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "created_at" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "attachments" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "url" TEXT NOT NULL,
    "attachable_type" TEXT,
    "attachable_id" TEXT,
    "created_at" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "events" (
    "id" INTEGER NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "channel_id" BIGINT,
    "created_at" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" DATETIME NOT NULL,
    CONSTRAINT "events_channel_id_fkey" FOREIGN KEY ("channel_id") REFERENCES "channels" ("id") ON DELETE SET NULL ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "stamps" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "label_id" TEXT NOT NULL,
    "created_at" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" DATETIME NOT NULL,
    CONSTRAINT "stamps_label_id_fkey" FOREIGN KEY ("label_id") REFERENCES "labels" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "channel_country" (
    "channel_id" BIGINT NOT NULL,
    "country_id" TEXT NOT NULL,

    PRIMARY KEY ("channel_id", "country_id"),
    CONSTRAINT "channel_country_channel_id_fkey" FOREIGN KEY ("channel_id") REFERENCES "channels" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "channel_country_country_id_fkey" FOREIGN KEY ("country_id") REFERENCES "countries" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "channel_user" (
    "channel_id" BIGINT NOT NULL,
    "user_id" BIGINT NOT NULL,
    "last_read" BIGINT,

    PRIMARY KEY ("channel_id", "user_id"),
    CONSTRAINT "channel_user_channel_id_fkey" FOREIGN KEY ("channel_id") REFERENCES "channels" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "channel_user_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "labelables" (
    "labelable_type" TEXT NOT NULL,
    "labelable_id" BIGINT NOT NULL,
    "label_id" TEXT NOT NULL,
    "weight" BIGINT NOT NULL DEFAULT 1,

    PRIMARY KEY ("labelable_type", "labelable_id", "label_id"),
    CONSTRAINT "labelables_label_id_fkey" FOREIGN KEY ("label_id") REFERENCES "labels" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "personal_access_tokens" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "user_id" BIGINT NOT NULL,
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
CREATE INDEX "users_country_id_idx" ON "users"("country_id");

-- CreateIndex
CREATE UNIQUE INDEX "channels_name_key" ON "channels"("name");

-- CreateIndex
CREATE INDEX "channels_bytes_idx" ON "channels"("bytes");

-- CreateIndex
CREATE INDEX "channels_parent_id_idx" ON "channels"("parent_id");

-- CreateIndex
CREATE UNIQUE INDEX "messages_nonce_key" ON "messages"("nonce");

-- CreateIndex
CREATE INDEX "messages_sent_at_idx" ON "messages"("sent_at");

-- CreateIndex
CREATE INDEX "messages_channel_id_idx" ON "messages"("channel_id");

-- CreateIndex
CREATE INDEX "messages_author_id_idx" ON "messages"("author_id");

-- CreateIndex
CREATE INDEX "countries_name_idx" ON "countries"("name");

-- CreateIndex
CREATE INDEX "labels_name_idx" ON "labels"("name");

-- CreateIndex
CREATE INDEX "attachments_attachable_type_attachable_id_idx" ON "attachments"("attachable_type", "attachable_id");

-- CreateIndex
CREATE INDEX "events_channel_id_idx" ON "events"("channel_id");

-- CreateIndex
CREATE INDEX "stamps_label_id_id_idx" ON "stamps"("label_id", "id");

-- CreateIndex
CREATE INDEX "channel_country_country_id_channel_id_idx" ON "channel_country"("country_id", "channel_id");

-- CreateIndex
CREATE INDEX "channel_user_user_id_channel_id_idx" ON "channel_user"("user_id", "channel_id");

-- CreateIndex
CREATE INDEX "labelables_label_id_idx" ON "labelables"("label_id");

-- CreateIndex
CREATE UNIQUE INDEX "personal_access_tokens_token_key" ON "personal_access_tokens"("token");

-- CreateIndex
CREATE INDEX "personal_access_tokens_user_id_idx" ON "personal_access_tokens"("user_id");

-- CreateIndex
CREATE INDEX "rate_limits_expires_at_idx" ON "rate_limits"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "users_email_any_case" ON "users"(lower("email"));

-- CreateTrigger
CREATE TRIGGER "attachments_attachable_morph" BEFORE INSERT ON "attachments"
WHEN NEW."attachable_type" IS NOT NULL AND NEW."attachable_id" IS NOT NULL AND NOT ((NEW."attachable_type" = 'channels' AND EXISTS (SELECT 1 FROM "channels" WHERE "id" = NEW."attachable_id" AND CAST("id" AS TEXT) = NEW."attachable_id")) OR (NEW."attachable_type" = 'messages' AND EXISTS (SELECT 1 FROM "messages" WHERE "id" = NEW."attachable_id" AND CAST("id" AS TEXT) = NEW."attachable_id")) OR (NEW."attachable_type" = 'countries' AND EXISTS (SELECT 1 FROM "countries" WHERE "id" = NEW."attachable_id")) OR (NEW."attachable_type" = 'events' AND EXISTS (SELECT 1 FROM "events" WHERE "id" = NEW."attachable_id" AND CAST("id" AS TEXT) = NEW."attachable_id")))
BEGIN
  SELECT RAISE(ABORT, 'FOREIGN KEY constraint failed: attachments.attachable_id');
END;

-- CreateTrigger
CREATE TRIGGER "attachments_attachable_morph__update" BEFORE UPDATE OF "attachable_type", "attachable_id" ON "attachments"
WHEN NEW."attachable_type" IS NOT NULL AND NEW."attachable_id" IS NOT NULL AND NOT ((NEW."attachable_type" = 'channels' AND EXISTS (SELECT 1 FROM "channels" WHERE "id" = NEW."attachable_id" AND CAST("id" AS TEXT) = NEW."attachable_id")) OR (NEW."attachable_type" = 'messages' AND EXISTS (SELECT 1 FROM "messages" WHERE "id" = NEW."attachable_id" AND CAST("id" AS TEXT) = NEW."attachable_id")) OR (NEW."attachable_type" = 'countries' AND EXISTS (SELECT 1 FROM "countries" WHERE "id" = NEW."attachable_id")) OR (NEW."attachable_type" = 'events' AND EXISTS (SELECT 1 FROM "events" WHERE "id" = NEW."attachable_id" AND CAST("id" AS TEXT) = NEW."attachable_id")))
BEGIN
  SELECT RAISE(ABORT, 'FOREIGN KEY constraint failed: attachments.attachable_id');
END;

-- CreateTrigger
CREATE TRIGGER "attachments_attachable_morph_channels" AFTER DELETE ON "channels"
BEGIN
  SELECT RAISE(ABORT, 'FOREIGN KEY constraint failed') WHERE EXISTS (SELECT 1 FROM "attachments" WHERE "attachable_type" = 'channels' AND "attachable_id" BETWEEN CAST(OLD."id" AS TEXT) AND CAST(OLD."id" AS TEXT));
END;

-- CreateTrigger
CREATE TRIGGER "attachments_attachable_morph_channels__moved" AFTER UPDATE OF "id" ON "channels"
WHEN NEW."id" <> OLD."id"
BEGIN
  UPDATE "attachments" SET "attachable_id" = CAST(NEW."id" AS TEXT) WHERE "attachable_type" = 'channels' AND "attachable_id" BETWEEN CAST(OLD."id" AS TEXT) AND CAST(OLD."id" AS TEXT);
END;

-- CreateTrigger
CREATE TRIGGER "attachments_attachable_morph_messages" AFTER DELETE ON "messages"
BEGIN
  DELETE FROM "attachments" WHERE "attachable_type" = 'messages' AND "attachable_id" BETWEEN CAST(OLD."id" AS TEXT) AND CAST(OLD."id" AS TEXT);
END;

-- CreateTrigger
CREATE TRIGGER "attachments_attachable_morph_messages__moved" AFTER UPDATE OF "id" ON "messages"
WHEN NEW."id" <> OLD."id"
BEGIN
  UPDATE "attachments" SET "attachable_id" = CAST(NEW."id" AS TEXT) WHERE "attachable_type" = 'messages' AND "attachable_id" BETWEEN CAST(OLD."id" AS TEXT) AND CAST(OLD."id" AS TEXT);
END;

-- CreateTrigger
CREATE TRIGGER "attachments_attachable_morph_countries" AFTER DELETE ON "countries"
BEGIN
  SELECT RAISE(ABORT, 'FOREIGN KEY constraint failed') WHERE EXISTS (SELECT 1 FROM "attachments" WHERE "attachable_type" = 'countries' AND "attachable_id" BETWEEN OLD."id" AND OLD."id");
END;

-- CreateTrigger
CREATE TRIGGER "attachments_attachable_morph_countries__moved" AFTER UPDATE OF "id" ON "countries"
WHEN NEW."id" <> OLD."id"
BEGIN
  UPDATE "attachments" SET "attachable_id" = NEW."id" WHERE "attachable_type" = 'countries' AND "attachable_id" BETWEEN OLD."id" AND OLD."id";
END;

-- CreateTrigger
CREATE TRIGGER "attachments_attachable_morph_events" AFTER DELETE ON "events"
BEGIN
  SELECT RAISE(ABORT, 'FOREIGN KEY constraint failed') WHERE EXISTS (SELECT 1 FROM "attachments" WHERE "attachable_type" = 'events' AND "attachable_id" BETWEEN CAST(OLD."id" AS TEXT) AND CAST(OLD."id" AS TEXT));
END;

-- CreateTrigger
CREATE TRIGGER "attachments_attachable_morph_events__moved" AFTER UPDATE OF "id" ON "events"
WHEN NEW."id" <> OLD."id"
BEGIN
  UPDATE "attachments" SET "attachable_id" = CAST(NEW."id" AS TEXT) WHERE "attachable_type" = 'events' AND "attachable_id" BETWEEN CAST(OLD."id" AS TEXT) AND CAST(OLD."id" AS TEXT);
END;

-- CreateTrigger
CREATE TRIGGER "labelables_labelable_morph" BEFORE INSERT ON "labelables"
WHEN NEW."labelable_type" IS NOT NULL AND NEW."labelable_id" IS NOT NULL AND NOT ((NEW."labelable_type" = 'channels' AND EXISTS (SELECT 1 FROM "channels" WHERE "id" = NEW."labelable_id")))
BEGIN
  SELECT RAISE(ABORT, 'FOREIGN KEY constraint failed: labelables.labelable_id');
END;

-- CreateTrigger
CREATE TRIGGER "labelables_labelable_morph__update" BEFORE UPDATE OF "labelable_type", "labelable_id" ON "labelables"
WHEN NEW."labelable_type" IS NOT NULL AND NEW."labelable_id" IS NOT NULL AND NOT ((NEW."labelable_type" = 'channels' AND EXISTS (SELECT 1 FROM "channels" WHERE "id" = NEW."labelable_id")))
BEGIN
  SELECT RAISE(ABORT, 'FOREIGN KEY constraint failed: labelables.labelable_id');
END;

-- CreateTrigger
CREATE TRIGGER "labelables_labelable_morph_channels" AFTER DELETE ON "channels"
BEGIN
  DELETE FROM "labelables" WHERE "labelable_type" = 'channels' AND "labelable_id" BETWEEN OLD."id" AND OLD."id";
END;

-- CreateTrigger
CREATE TRIGGER "labelables_labelable_morph_channels__moved" AFTER UPDATE OF "id" ON "channels"
WHEN NEW."id" <> OLD."id"
BEGIN
  UPDATE "labelables" SET "labelable_id" = NEW."id" WHERE "labelable_type" = 'channels' AND "labelable_id" BETWEEN OLD."id" AND OLD."id";
END;
