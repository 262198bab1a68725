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
ALTER TABLE "notifications" DROP CONSTRAINT "notifications_kind";--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "snoozed_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "snooze_reason" text;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "returned_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "snoozes" ADD CONSTRAINT "snoozes_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "snoozes" ADD CONSTRAINT "snoozes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "snoozes_one_open" ON "snoozes" USING btree ("conversation_id") WHERE "snoozes"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "snoozes_conversation" ON "snoozes" USING btree ("conversation_id","started_at");--> statement-breakpoint
CREATE INDEX "snoozes_user" ON "snoozes" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "conversations_snoozed" ON "conversations" USING btree ("snoozed_until") WHERE "conversations"."snoozed_until" is not null;--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_snoozed" CHECK ("conversations"."snoozed_until" is null or coalesce("conversations"."waiting_since", "conversations"."completed_at") is null);--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_kind" CHECK ("notifications"."kind" in ('mention', 'follow', 'failed_reply', 'returned'));