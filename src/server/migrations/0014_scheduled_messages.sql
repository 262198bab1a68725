CREATE TABLE "scheduled_messages" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "scheduled_messages_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"conversation_id" integer NOT NULL,
	"author_id" integer NOT NULL,
	"content" text NOT NULL,
	"client_message_id" text,
	"send_at" timestamp with time zone NOT NULL,
	"asked_at" timestamp with time zone NOT NULL,
	"cancel_on_answer" boolean NOT NULL,
	"only_open" boolean NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"reason" text,
	"message_id" integer,
	"ended_at" timestamp with time zone,
	"ended_by_id" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "scheduled_messages_state" CHECK ("scheduled_messages"."state" in ('pending', 'sent', 'cancelled', 'failed')),
	CONSTRAINT "scheduled_messages_reason" CHECK ("scheduled_messages"."reason" in ('answered', 'by_person', 'contact_erased', 'author_gone', 'author_not_allowed', 'out_of_reach', 'contact_blocked', 'contact_gone', 'number_off', 'never_open', 'no_value')),
	CONSTRAINT "scheduled_messages_end" CHECK (("scheduled_messages"."state" = 'pending') = ("scheduled_messages"."ended_at" is null)),
	CONSTRAINT "scheduled_messages_why" CHECK (("scheduled_messages"."state" in ('cancelled', 'failed')) = ("scheduled_messages"."reason" is not null))
);
--> statement-breakpoint
ALTER TABLE "notifications" DROP CONSTRAINT "notifications_kind";--> statement-breakpoint
ALTER TABLE "scheduled_messages" ADD CONSTRAINT "scheduled_messages_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scheduled_messages" ADD CONSTRAINT "scheduled_messages_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scheduled_messages" ADD CONSTRAINT "scheduled_messages_message_id_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."messages"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scheduled_messages" ADD CONSTRAINT "scheduled_messages_ended_by_id_users_id_fk" FOREIGN KEY ("ended_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "scheduled_messages_due" ON "scheduled_messages" USING btree ("send_at","id") WHERE "scheduled_messages"."state" = 'pending';--> statement-breakpoint
CREATE INDEX "scheduled_messages_conversation" ON "scheduled_messages" USING btree ("conversation_id","state");--> statement-breakpoint
CREATE INDEX "scheduled_messages_author" ON "scheduled_messages" USING btree ("author_id","state","send_at");--> statement-breakpoint
CREATE INDEX "scheduled_messages_ended" ON "scheduled_messages" USING btree ("state","ended_at");--> statement-breakpoint
CREATE INDEX "scheduled_messages_ended_by" ON "scheduled_messages" USING btree ("ended_by_id");--> statement-breakpoint
CREATE UNIQUE INDEX "scheduled_messages_message" ON "scheduled_messages" USING btree ("message_id");--> statement-breakpoint
CREATE UNIQUE INDEX "scheduled_messages_repeated" ON "scheduled_messages" USING btree ("conversation_id","client_message_id") WHERE "scheduled_messages"."client_message_id" is not null;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_kind" CHECK ("notifications"."kind" in ('mention', 'follow', 'failed_reply', 'returned', 'sla_reply', 'sla_end', 'unsent_schedule'));