CREATE TABLE "finish_reasons" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "finish_reasons_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"parent_id" integer,
	"path" text NOT NULL,
	"path_folded" text GENERATED ALWAYS AS (lower(regexp_replace(normalize("finish_reasons"."path", NFD), '[\u0300-\u036f]', '', 'g'))) STORED NOT NULL,
	"sector_id" integer,
	"place" integer DEFAULT 0 NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "finish_reasons_path" UNIQUE("path_folded"),
	CONSTRAINT "finish_reasons_sector" CHECK ("finish_reasons"."parent_id" is null or "finish_reasons"."sector_id" is null)
);
--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "finish_reason_id" integer;--> statement-breakpoint
ALTER TABLE "finish_reasons" ADD CONSTRAINT "finish_reasons_parent_id_finish_reasons_id_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."finish_reasons"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "finish_reasons" ADD CONSTRAINT "finish_reasons_sector_id_sectors_id_fk" FOREIGN KEY ("sector_id") REFERENCES "public"."sectors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_finish_reason_id_finish_reasons_id_fk" FOREIGN KEY ("finish_reason_id") REFERENCES "public"."finish_reasons"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "conversations_finish_reason" ON "conversations" USING btree ("finish_reason_id","completed_at","id") WHERE "conversations"."finish_reason_id" is not null;--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_finish_reason" CHECK ("conversations"."finish_reason_id" is null or "conversations"."status" = 'completed');