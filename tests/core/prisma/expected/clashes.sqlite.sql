-- CreateTable
CREATE TABLE "default" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
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
    "created_at" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" DATETIME NOT NULL,
    CONSTRAINT "default_OR_fkey" FOREIGN KEY ("OR") REFERENCES "news" ("id") ON DELETE SET NULL ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "news" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "parent_id" INTEGER,
    "editor_id" TEXT,
    "author_id" TEXT NOT NULL,
    "staff_id" TEXT NOT NULL,
    "news_id" INTEGER,
    "created_at" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" DATETIME NOT NULL,
    CONSTRAINT "news_parent_id_fkey" FOREIGN KEY ("parent_id") REFERENCES "news" ("id") ON DELETE SET NULL ON UPDATE CASCADE,
    CONSTRAINT "news_editor_id_fkey" FOREIGN KEY ("editor_id") REFERENCES "staff" ("id") ON DELETE SET NULL ON UPDATE CASCADE,
    CONSTRAINT "news_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "staff" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "news_staff_id_fkey" FOREIGN KEY ("staff_id") REFERENCES "staff" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "news_news_id_fkey" FOREIGN KEY ("news_id") REFERENCES "news" ("id") ON DELETE SET NULL ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "staff" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "news" TEXT NOT NULL,
    "friends" TEXT NOT NULL,
    "created_at" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "friends" (
    "staff_id" TEXT NOT NULL,
    "friend_id" TEXT NOT NULL,

    PRIMARY KEY ("staff_id", "friend_id"),
    CONSTRAINT "friends_staff_id_fkey" FOREIGN KEY ("staff_id") REFERENCES "staff" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "friends_friend_id_fkey" FOREIGN KEY ("friend_id") REFERENCES "staff" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "notables" (
    "notable_type" TEXT NOT NULL,
    "notable_id" TEXT NOT NULL,
    "news_id" INTEGER NOT NULL,

    PRIMARY KEY ("notable_type", "notable_id", "news_id"),
    CONSTRAINT "notables_news_id_fkey" FOREIGN KEY ("news_id") REFERENCES "news" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "default_AND_idx" ON "default"("AND");

-- CreateIndex
CREATE INDEX "default_OR_idx" ON "default"("OR");

-- CreateIndex
CREATE UNIQUE INDEX "news_staff_id_key" ON "news"("staff_id");

-- CreateIndex
CREATE INDEX "news_parent_id_idx" ON "news"("parent_id");

-- CreateIndex
CREATE INDEX "news_editor_id_idx" ON "news"("editor_id");

-- CreateIndex
CREATE INDEX "news_author_id_idx" ON "news"("author_id");

-- CreateIndex
CREATE INDEX "news_news_id_idx" ON "news"("news_id");

-- CreateIndex
CREATE INDEX "friends_friend_id_staff_id_idx" ON "friends"("friend_id", "staff_id");

-- CreateIndex
CREATE INDEX "notables_news_id_idx" ON "notables"("news_id");
