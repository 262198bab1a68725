CREATE TABLE "conversation_tags" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "conversation_tags_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"name_folded" text GENERATED ALWAYS AS (lower(regexp_replace(normalize("conversation_tags"."name", NFD), '[\u0300-\u036f]', '', 'g'))) STORED NOT NULL,
	"color" text NOT NULL,
	"sector_id" integer,
	"place" integer DEFAULT 0 NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "conversation_tags_color" CHECK ("conversation_tags"."color" ~* '^#[0-9a-f]{6}$')
);
--> statement-breakpoint
CREATE TABLE "saved_views" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "saved_views_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"owner_id" integer NOT NULL,
	"name" text NOT NULL,
	"name_folded" text GENERATED ALWAYS AS (lower(regexp_replace(normalize("saved_views"."name", NFD), '[\u0300-\u036f]', '', 'g'))) STORED NOT NULL,
	"content" jsonb NOT NULL,
	"is_shared" boolean DEFAULT false NOT NULL,
	"sector_id" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "saved_views_sector" CHECK ("saved_views"."is_shared" or "saved_views"."sector_id" is null)
);
--> statement-breakpoint
CREATE TABLE "view_orders" (
	"user_id" integer PRIMARY KEY NOT NULL,
	"view_ids" integer[] NOT NULL
);
--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "tag_ids" integer[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "conversation_tags" ADD CONSTRAINT "conversation_tags_sector_id_sectors_id_fk" FOREIGN KEY ("sector_id") REFERENCES "public"."sectors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_sector_id_sectors_id_fk" FOREIGN KEY ("sector_id") REFERENCES "public"."sectors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "view_orders" ADD CONSTRAINT "view_orders_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "conversation_tags_name" ON "conversation_tags" USING btree ("name_folded");--> statement-breakpoint
CREATE INDEX "saved_views_owner" ON "saved_views" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "conversations_tags" ON "conversations" USING gin ("tag_ids") WHERE "conversations"."tag_ids" <> '{}';