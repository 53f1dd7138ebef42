-- CreateTable
CREATE TABLE "users" (
    "id" BIGSERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "name_folded" TEXT,
    "email" TEXT NOT NULL,
    "password" TEXT NOT NULL,
    "is_admin" BOOLEAN NOT NULL DEFAULT false,
    "country_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "channels" (
    "id" BIGSERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL DEFAULT 0,
    "parent_id" BIGINT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "channels_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "messages" (
    "id" BIGSERIAL NOT NULL,
    "body" TEXT NOT NULL,
    "sent_at" BIGINT NOT NULL,
    "nonce" BIGINT,
    "channel_id" BIGINT NOT NULL,
    "author_id" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "messages_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "countries" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "countries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "labels" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "labels_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "attachments" (
    "id" SERIAL NOT NULL,
    "url" TEXT NOT NULL,
    "attachable_type" TEXT,
    "attachable_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "attachments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "events" (
    "id" BIGINT NOT NULL,
    "name" TEXT NOT NULL,
    "channel_id" BIGINT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "stamps" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "label_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "stamps_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "channel_country" (
    "channel_id" BIGINT NOT NULL,
    "country_id" TEXT NOT NULL,

    CONSTRAINT "channel_country_pkey" PRIMARY KEY ("channel_id","country_id")
);

-- CreateTable
CREATE TABLE "channel_user" (
    "channel_id" BIGINT NOT NULL,
    "user_id" BIGINT NOT NULL,
    "last_read" BIGINT,

    CONSTRAINT "channel_user_pkey" PRIMARY KEY ("channel_id","user_id")
);

-- CreateTable
CREATE TABLE "labelables" (
    "labelable_type" TEXT NOT NULL,
    "labelable_id" BIGINT NOT NULL,
    "label_id" TEXT NOT NULL,
    "weight" BIGINT NOT NULL DEFAULT 1,

    CONSTRAINT "labelables_pkey" PRIMARY KEY ("labelable_type","labelable_id","label_id")
);

-- CreateTable
CREATE TABLE "personal_access_tokens" (
    "id" SERIAL NOT NULL,
    "user_id" BIGINT NOT NULL,
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
CREATE INDEX "users_country_id_id_idx" ON "users"("country_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "channels_name_key" ON "channels"("name");

-- CreateIndex
CREATE INDEX "channels_bytes_idx" ON "channels"("bytes");

-- CreateIndex
CREATE INDEX "channels_parent_id_id_idx" ON "channels"("parent_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "messages_nonce_key" ON "messages"("nonce");

-- CreateIndex
CREATE INDEX "messages_sent_at_idx" ON "messages"("sent_at");

-- CreateIndex
CREATE INDEX "messages_channel_id_id_idx" ON "messages"("channel_id", "id");

-- CreateIndex
CREATE INDEX "messages_author_id_id_idx" ON "messages"("author_id", "id");

-- CreateIndex
CREATE INDEX "countries_name_idx" ON "countries"("name");

-- CreateIndex
CREATE INDEX "labels_name_idx" ON "labels"("name");

-- CreateIndex
CREATE INDEX "attachments_attachable_type_attachable_id_id_idx" ON "attachments"("attachable_type", "attachable_id", "id");

-- CreateIndex
CREATE INDEX "events_channel_id_id_idx" ON "events"("channel_id", "id");

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

-- AddForeignKey
ALTER TABLE "users" ADD CONSTRAINT "users_country_id_fkey" FOREIGN KEY ("country_id") REFERENCES "countries"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "channels" ADD CONSTRAINT "channels_parent_id_fkey" FOREIGN KEY ("parent_id") REFERENCES "channels"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "messages" ADD CONSTRAINT "messages_channel_id_fkey" FOREIGN KEY ("channel_id") REFERENCES "channels"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "messages" ADD CONSTRAINT "messages_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "events" ADD CONSTRAINT "events_channel_id_fkey" FOREIGN KEY ("channel_id") REFERENCES "channels"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "stamps" ADD CONSTRAINT "stamps_label_id_fkey" FOREIGN KEY ("label_id") REFERENCES "labels"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "channel_country" ADD CONSTRAINT "channel_country_channel_id_fkey" FOREIGN KEY ("channel_id") REFERENCES "channels"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "channel_country" ADD CONSTRAINT "channel_country_country_id_fkey" FOREIGN KEY ("country_id") REFERENCES "countries"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "channel_user" ADD CONSTRAINT "channel_user_channel_id_fkey" FOREIGN KEY ("channel_id") REFERENCES "channels"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "channel_user" ADD CONSTRAINT "channel_user_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "labelables" ADD CONSTRAINT "labelables_label_id_fkey" FOREIGN KEY ("label_id") REFERENCES "labels"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "personal_access_tokens" ADD CONSTRAINT "personal_access_tokens_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- CreateIndex
CREATE UNIQUE INDEX "users_email_any_case" ON "users"(lower("email" COLLATE "C"));

-- CreateTrigger
CREATE FUNCTION "attachments_attachable_morph"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."attachable_type" IS NULL OR NEW."attachable_id" IS NULL THEN RETURN NEW; END IF;
  IF NEW."attachable_type" = 'channels' THEN
    PERFORM 1 FROM "channels" WHERE "id" = (CASE WHEN NEW."attachable_id" ~ '^(0|-?[1-9][0-9]{0,18})$' THEN CASE WHEN NEW."attachable_id"::numeric BETWEEN -9223372036854775808 AND 9223372036854775807 THEN NEW."attachable_id"::bigint END END) FOR KEY SHARE;
    IF FOUND THEN RETURN NEW; END IF;
  END IF;
  IF NEW."attachable_type" = 'messages' THEN
    PERFORM 1 FROM "messages" WHERE "id" = (CASE WHEN NEW."attachable_id" ~ '^(0|-?[1-9][0-9]{0,18})$' THEN CASE WHEN NEW."attachable_id"::numeric BETWEEN -9223372036854775808 AND 9223372036854775807 THEN NEW."attachable_id"::bigint END END) FOR KEY SHARE;
    IF FOUND THEN RETURN NEW; END IF;
  END IF;
  IF NEW."attachable_type" = 'countries' THEN
    PERFORM 1 FROM "countries" WHERE "id" = NEW."attachable_id" FOR KEY SHARE;
    IF FOUND THEN RETURN NEW; END IF;
  END IF;
  IF NEW."attachable_type" = 'events' THEN
    PERFORM 1 FROM "events" WHERE "id" = (CASE WHEN NEW."attachable_id" ~ '^(0|-?[1-9][0-9]{0,18})$' THEN CASE WHEN NEW."attachable_id"::numeric BETWEEN -9223372036854775808 AND 9223372036854775807 THEN NEW."attachable_id"::bigint END END) FOR KEY SHARE;
    IF FOUND THEN RETURN NEW; END IF;
  END IF;
  RAISE foreign_key_violation USING MESSAGE = 'a row of "attachments" points at no record', TABLE = 'attachments', COLUMN = 'attachable_id';
END $$;

-- CreateTrigger
CREATE TRIGGER "attachments_attachable_morph" BEFORE INSERT OR UPDATE OF "attachable_type", "attachable_id" ON "attachments"
FOR EACH ROW EXECUTE FUNCTION "attachments_attachable_morph"();

-- CreateTrigger
CREATE FUNCTION "attachments_attachable_morph_channels"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM "attachments" WHERE "attachable_type" = 'channels' AND "attachable_id" BETWEEN OLD."id"::text AND OLD."id"::text) THEN
    RAISE foreign_key_violation USING MESSAGE = 'rows of "attachments" still point at it', TABLE = 'attachments';
  END IF;
  RETURN NULL;
END $$;

-- CreateTrigger
CREATE TRIGGER "attachments_attachable_morph_channels" AFTER DELETE ON "channels"
FOR EACH ROW EXECUTE FUNCTION "attachments_attachable_morph_channels"();

-- CreateTrigger
CREATE FUNCTION "attachments_attachable_morph_channels__moved"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "attachments" SET "attachable_id" = NEW."id"::text WHERE "attachable_type" = 'channels' AND "attachable_id" BETWEEN OLD."id"::text AND OLD."id"::text;
  RETURN NULL;
END $$;

-- CreateTrigger
CREATE TRIGGER "attachments_attachable_morph_channels__moved" AFTER UPDATE OF "id" ON "channels"
FOR EACH ROW WHEN (NEW."id" <> OLD."id") EXECUTE FUNCTION "attachments_attachable_morph_channels__moved"();

-- CreateTrigger
CREATE FUNCTION "attachments_attachable_morph_messages"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "attachments" WHERE "attachable_type" = 'messages' AND "attachable_id" BETWEEN OLD."id"::text AND OLD."id"::text;
  RETURN NULL;
END $$;

-- CreateTrigger
CREATE TRIGGER "attachments_attachable_morph_messages" AFTER DELETE ON "messages"
FOR EACH ROW EXECUTE FUNCTION "attachments_attachable_morph_messages"();

-- CreateTrigger
CREATE FUNCTION "attachments_attachable_morph_messages__moved"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "attachments" SET "attachable_id" = NEW."id"::text WHERE "attachable_type" = 'messages' AND "attachable_id" BETWEEN OLD."id"::text AND OLD."id"::text;
  RETURN NULL;
END $$;

-- CreateTrigger
CREATE TRIGGER "attachments_attachable_morph_messages__moved" AFTER UPDATE OF "id" ON "messages"
FOR EACH ROW WHEN (NEW."id" <> OLD."id") EXECUTE FUNCTION "attachments_attachable_morph_messages__moved"();

-- CreateTrigger
CREATE FUNCTION "attachments_attachable_morph_countries"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM "attachments" WHERE "attachable_type" = 'countries' AND "attachable_id" BETWEEN OLD."id" AND OLD."id") THEN
    RAISE foreign_key_violation USING MESSAGE = 'rows of "attachments" still point at it', TABLE = 'attachments';
  END IF;
  RETURN NULL;
END $$;

-- CreateTrigger
CREATE TRIGGER "attachments_attachable_morph_countries" AFTER DELETE ON "countries"
FOR EACH ROW EXECUTE FUNCTION "attachments_attachable_morph_countries"();

-- CreateTrigger
CREATE FUNCTION "attachments_attachable_morph_countries__moved"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "attachments" SET "attachable_id" = NEW."id" WHERE "attachable_type" = 'countries' AND "attachable_id" BETWEEN OLD."id" AND OLD."id";
  RETURN NULL;
END $$;

-- CreateTrigger
CREATE TRIGGER "attachments_attachable_morph_countries__moved" AFTER UPDATE OF "id" ON "countries"
FOR EACH ROW WHEN (NEW."id" <> OLD."id") EXECUTE FUNCTION "attachments_attachable_morph_countries__moved"();

-- CreateTrigger
CREATE FUNCTION "attachments_attachable_morph_events"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM "attachments" WHERE "attachable_type" = 'events' AND "attachable_id" BETWEEN OLD."id"::text AND OLD."id"::text) THEN
    RAISE foreign_key_violation USING MESSAGE = 'rows of "attachments" still point at it', TABLE = 'attachments';
  END IF;
  RETURN NULL;
END $$;

-- CreateTrigger
CREATE TRIGGER "attachments_attachable_morph_events" AFTER DELETE ON "events"
FOR EACH ROW EXECUTE FUNCTION "attachments_attachable_morph_events"();

-- CreateTrigger
CREATE FUNCTION "attachments_attachable_morph_events__moved"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "attachments" SET "attachable_id" = NEW."id"::text WHERE "attachable_type" = 'events' AND "attachable_id" BETWEEN OLD."id"::text AND OLD."id"::text;
  RETURN NULL;
END $$;

-- CreateTrigger
CREATE TRIGGER "attachments_attachable_morph_events__moved" AFTER UPDATE OF "id" ON "events"
FOR EACH ROW WHEN (NEW."id" <> OLD."id") EXECUTE FUNCTION "attachments_attachable_morph_events__moved"();

-- CreateTrigger
CREATE FUNCTION "labelables_labelable_morph"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."labelable_type" IS NULL OR NEW."labelable_id" IS NULL THEN RETURN NEW; END IF;
  IF NEW."labelable_type" = 'channels' THEN
    PERFORM 1 FROM "channels" WHERE "id" = NEW."labelable_id" FOR KEY SHARE;
    IF FOUND THEN RETURN NEW; END IF;
  END IF;
  RAISE foreign_key_violation USING MESSAGE = 'a row of "labelables" points at no record', TABLE = 'labelables', COLUMN = 'labelable_id';
END $$;

-- CreateTrigger
CREATE TRIGGER "labelables_labelable_morph" BEFORE INSERT OR UPDATE OF "labelable_type", "labelable_id" ON "labelables"
FOR EACH ROW EXECUTE FUNCTION "labelables_labelable_morph"();

-- CreateTrigger
CREATE FUNCTION "labelables_labelable_morph_channels"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "labelables" WHERE "labelable_type" = 'channels' AND "labelable_id" BETWEEN OLD."id" AND OLD."id";
  RETURN NULL;
END $$;

-- CreateTrigger
CREATE TRIGGER "labelables_labelable_morph_channels" AFTER DELETE ON "channels"
FOR EACH ROW EXECUTE FUNCTION "labelables_labelable_morph_channels"();

-- CreateTrigger
CREATE FUNCTION "labelables_labelable_morph_channels__moved"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "labelables" SET "labelable_id" = NEW."id" WHERE "labelable_type" = 'channels' AND "labelable_id" BETWEEN OLD."id" AND OLD."id";
  RETURN NULL;
END $$;

-- CreateTrigger
CREATE TRIGGER "labelables_labelable_morph_channels__moved" AFTER UPDATE OF "id" ON "channels"
FOR EACH ROW WHEN (NEW."id" <> OLD."id") EXECUTE FUNCTION "labelables_labelable_morph_channels__moved"();
