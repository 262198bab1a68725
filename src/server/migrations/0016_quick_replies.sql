CREATE TABLE "quick_replies" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "quick_replies_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"owner_id" integer,
	"sector_id" integer,
	"shortcut" text NOT NULL,
	"shortcut_folded" text GENERATED ALWAYS AS (lower(regexp_replace(normalize("quick_replies"."shortcut", NFD), '[\u0300-\u036f]', '', 'g'))) STORED NOT NULL,
	"text" text NOT NULL,
	"file" jsonb,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "quick_replies_scope" CHECK (("quick_replies"."owner_id" is null) <> ("quick_replies"."sector_id" is null))
);
--> statement-breakpoint
CREATE TABLE "quick_reply_uses" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "quick_reply_uses_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"reply_id" integer,
	"general" text,
	"uses" integer NOT NULL,
	"last_used_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "quick_reply_uses_of" CHECK (("quick_reply_uses"."reply_id" is null) <> ("quick_reply_uses"."general" is null))
);
--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "quick_reply_use_id" integer;--> statement-breakpoint
ALTER TABLE "quick_replies" ADD CONSTRAINT "quick_replies_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quick_replies" ADD CONSTRAINT "quick_replies_sector_id_sectors_id_fk" FOREIGN KEY ("sector_id") REFERENCES "public"."sectors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quick_reply_uses" ADD CONSTRAINT "quick_reply_uses_reply_id_quick_replies_id_fk" FOREIGN KEY ("reply_id") REFERENCES "public"."quick_replies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "quick_replies_of_owner" ON "quick_replies" USING btree ("owner_id","shortcut_folded");--> statement-breakpoint
CREATE UNIQUE INDEX "quick_replies_of_sector" ON "quick_replies" USING btree ("sector_id","shortcut_folded");--> statement-breakpoint
CREATE UNIQUE INDEX "quick_reply_uses_reply" ON "quick_reply_uses" USING btree ("reply_id");--> statement-breakpoint
CREATE UNIQUE INDEX "quick_reply_uses_general" ON "quick_reply_uses" USING btree ("general");