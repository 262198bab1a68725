CREATE TABLE "conversation_ratings" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "conversation_ratings_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"conversation_id" integer NOT NULL,
	"contact_id" integer NOT NULL,
	"operator_id" integer,
	"service_rating" integer NOT NULL,
	"operator_rating" integer NOT NULL,
	"feedback" text,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "conversation_ratings_conversation_id_unique" UNIQUE("conversation_id"),
	CONSTRAINT "conversation_ratings_service" CHECK ("conversation_ratings"."service_rating" between 1 and 5),
	CONSTRAINT "conversation_ratings_operator" CHECK ("conversation_ratings"."operator_rating" between 1 and 5)
);
--> statement-breakpoint
CREATE TABLE "message_votes" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "message_votes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"message_id" integer NOT NULL,
	"sender" text NOT NULL,
	"options" text[] NOT NULL,
	"voted_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "message_votes_one" UNIQUE("message_id","sender"),
	CONSTRAINT "message_votes_sender" CHECK ("message_votes"."sender" in ('contact', 'user'))
);
--> statement-breakpoint
ALTER TABLE "pending_updates" DROP CONSTRAINT "pending_updates_kind";--> statement-breakpoint
DROP INDEX "webhook_inbox_order";--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "gateway_named_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "is_history" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "is_pinned" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "pin_changed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "evolution_api_config" ADD COLUMN "webhook_secret_pending_encrypted" text;--> statement-breakpoint
ALTER TABLE "conversation_ratings" ADD CONSTRAINT "conversation_ratings_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversation_ratings" ADD CONSTRAINT "conversation_ratings_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversation_ratings" ADD CONSTRAINT "conversation_ratings_operator_id_users_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_votes" ADD CONSTRAINT "message_votes_message_id_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "conversation_ratings_contact" ON "conversation_ratings" USING btree ("contact_id");--> statement-breakpoint
CREATE INDEX "messages_by_operators" ON "messages" USING btree ("conversation_id","id") WHERE "messages"."sender_id" is not null and "messages"."delivery_status" is not null;--> statement-breakpoint
CREATE INDEX "messages_by_phone" ON "messages" USING btree ("conversation_id","sent_at","id") WHERE "messages"."metadata" ->> 'origin' in ('phone', 'api') or "messages"."metadata" #>> '{call,outcome}' = 'answered';--> statement-breakpoint
CREATE INDEX "webhook_inbox_order" ON "webhook_inbox" USING btree ("id") WHERE "webhook_inbox"."processed_at" is null and "webhook_inbox"."dead_reason" is null and "webhook_inbox"."instance_id" is not null;--> statement-breakpoint
ALTER TABLE "pending_updates" ADD CONSTRAINT "pending_updates_kind" CHECK ("pending_updates"."kind" in ('delivery', 'edit', 'delete', 'reaction', 'vote', 'pin'));