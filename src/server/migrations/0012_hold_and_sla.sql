CREATE TABLE "snoozes" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "snoozes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"conversation_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"started_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	"until" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	"ended_by" text,
	CONSTRAINT "snoozes_ended_by" CHECK ("snoozes"."ended_by" in ('time', 'client', 'person', 'transfer', 'completed', 'merged')),
	CONSTRAINT "snoozes_end" CHECK (("snoozes"."ended_at" is null) = ("snoozes"."ended_by" is null)),
	CONSTRAINT "snoozes_order" CHECK ("snoozes"."ended_at" >= "snoozes"."started_at")
);
--> statement-breakpoint
CREATE TABLE "sla_clocks" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sla_clocks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"conversation_id" integer NOT NULL,
	"seen" text NOT NULL,
	"is_over" boolean DEFAULT false NOT NULL,
	"reply_target_ms" bigint,
	"reply_run_ms" bigint,
	"reply_due_at" timestamp with time zone,
	"reply_near_at" timestamp with time zone,
	"reply_kept" boolean,
	"end_target_ms" bigint,
	"end_run_ms" bigint,
	"end_due_at" timestamp with time zone,
	"end_near_at" timestamp with time zone,
	"end_kept" boolean,
	"told_holder" integer DEFAULT 0 NOT NULL,
	"told_leads" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "sla_clocks_conversation_id_unique" UNIQUE("conversation_id")
);
--> statement-breakpoint
CREATE TABLE "sla_targets" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sla_targets_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"sector_id" integer,
	"category_id" integer,
	"reply_minutes" integer,
	"end_minutes" integer,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "sla_targets_minutes" CHECK ("sla_targets"."reply_minutes" between 1 and 14400 and "sla_targets"."end_minutes" between 1 and 14400),
	CONSTRAINT "sla_targets_any" CHECK (num_nonnulls("sla_targets"."reply_minutes", "sla_targets"."end_minutes") > 0)
);
--> statement-breakpoint
ALTER TABLE "notifications" DROP CONSTRAINT "notifications_kind";--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "snoozed_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "snooze_reason" text;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "returned_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "snoozes" ADD CONSTRAINT "snoozes_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "snoozes" ADD CONSTRAINT "snoozes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sla_clocks" ADD CONSTRAINT "sla_clocks_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sla_targets" ADD CONSTRAINT "sla_targets_sector_id_sectors_id_fk" FOREIGN KEY ("sector_id") REFERENCES "public"."sectors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sla_targets" ADD CONSTRAINT "sla_targets_category_id_contact_categories_id_fk" FOREIGN KEY ("category_id") REFERENCES "public"."contact_categories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "snoozes_one_open" ON "snoozes" USING btree ("conversation_id") WHERE "snoozes"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "snoozes_conversation" ON "snoozes" USING btree ("conversation_id","started_at");--> statement-breakpoint
CREATE INDEX "snoozes_user" ON "snoozes" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sla_clocks_running" ON "sla_clocks" USING btree ("conversation_id") WHERE not "sla_clocks"."is_over";--> statement-breakpoint
CREATE UNIQUE INDEX "sla_targets_one" ON "sla_targets" USING btree (coalesce("sector_id", 0),coalesce("category_id", 0));--> statement-breakpoint
CREATE INDEX "sla_targets_category" ON "sla_targets" USING btree ("category_id");--> statement-breakpoint
CREATE INDEX "conversations_snoozed" ON "conversations" USING btree ("snoozed_until") WHERE "conversations"."snoozed_until" is not null;--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_snoozed" CHECK ("conversations"."snoozed_until" is null or coalesce("conversations"."waiting_since", "conversations"."completed_at") is null);--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_kind" CHECK ("notifications"."kind" in ('mention', 'follow', 'failed_reply', 'returned', 'sla_reply', 'sla_end'));