-- CreateTable
CREATE TABLE "default" (
    "id" SERIAL NOT NULL,
    "constructor" TEXT NOT NULL,
    "toString" TEXT NOT NULL,
    "AND" TEXT NOT NULL,
    "class" TEXT NOT NULL,
    "select" TEXT NOT NULL,
    "where" TEXT NOT NULL,
    "then" TEXT NOT NULL,
    "order" TEXT NOT NULL,
    "user" TEXT NOT NULL,
    "OR" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "default_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "news" (
    "id" SERIAL NOT NULL,
    "parent_id" INTEGER,
    "editor_id" UUID,
    "author_id" UUID NOT NULL,
    "staff_id" UUID NOT NULL,
    "news_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "news_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "staff" (
    "id" UUID NOT NULL,
    "news" TEXT NOT NULL,
    "friends" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "staff_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "friends" (
    "staff_id" UUID NOT NULL,
    "friend_id" UUID NOT NULL,

    CONSTRAINT "friends_pkey" PRIMARY KEY ("staff_id","friend_id")
);

-- CreateTable
CREATE TABLE "notables" (
    "notable_type" TEXT NOT NULL,
    "notable_id" TEXT NOT NULL,
    "news_id" INTEGER NOT NULL,

    CONSTRAINT "notables_pkey" PRIMARY KEY ("notable_type","notable_id","news_id")
);

-- CreateIndex
CREATE INDEX "default_AND_idx" ON "default"("AND");

-- CreateIndex
CREATE INDEX "default_OR_id_idx" ON "default"("OR", "id");

-- CreateIndex
CREATE UNIQUE INDEX "news_staff_id_key" ON "news"("staff_id");

-- CreateIndex
CREATE INDEX "news_parent_id_id_idx" ON "news"("parent_id", "id");

-- CreateIndex
CREATE INDEX "news_editor_id_id_idx" ON "news"("editor_id", "id");

-- CreateIndex
CREATE INDEX "news_author_id_id_idx" ON "news"("author_id", "id");

-- CreateIndex
CREATE INDEX "news_news_id_id_idx" ON "news"("news_id", "id");

-- CreateIndex
CREATE INDEX "friends_friend_id_staff_id_idx" ON "friends"("friend_id", "staff_id");

-- CreateIndex
CREATE INDEX "notables_news_id_idx" ON "notables"("news_id");

-- AddForeignKey
ALTER TABLE "default" ADD CONSTRAINT "default_OR_fkey" FOREIGN KEY ("OR") REFERENCES "news"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "news" ADD CONSTRAINT "news_parent_id_fkey" FOREIGN KEY ("parent_id") REFERENCES "news"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "news" ADD CONSTRAINT "news_editor_id_fkey" FOREIGN KEY ("editor_id") REFERENCES "staff"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "news" ADD CONSTRAINT "news_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "staff"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "news" ADD CONSTRAINT "news_staff_id_fkey" FOREIGN KEY ("staff_id") REFERENCES "staff"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "news" ADD CONSTRAINT "news_news_id_fkey" FOREIGN KEY ("news_id") REFERENCES "news"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "friends" ADD CONSTRAINT "friends_staff_id_fkey" FOREIGN KEY ("staff_id") REFERENCES "staff"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "friends" ADD CONSTRAINT "friends_friend_id_fkey" FOREIGN KEY ("friend_id") REFERENCES "staff"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notables" ADD CONSTRAINT "notables_news_id_fkey" FOREIGN KEY ("news_id") REFERENCES "news"("id") ON DELETE CASCADE ON UPDATE CASCADE;
