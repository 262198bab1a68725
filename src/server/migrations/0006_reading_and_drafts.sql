CREATE TABLE "conversation_drafts" (
	"user_id" integer NOT NULL,
	"conversation_id" integer NOT NULL,
	"content" text NOT NULL,
	"quoted_message_id" integer,
	"updated_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "conversation_drafts_user_id_conversation_id_pk" PRIMARY KEY("user_id","conversation_id")
);
--> statement-breakpoint
CREATE TABLE "conversation_reads" (
	"user_id" integer NOT NULL,
	"conversation_id" integer NOT NULL,
	"last_message_id" integer NOT NULL,
	"contact_message_count" integer NOT NULL,
	"updated_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "conversation_reads_user_id_conversation_id_pk" PRIMARY KEY("user_id","conversation_id")
);
--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "contact_message_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "receipt_message_id" integer;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "is_away" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "conversation_drafts" ADD CONSTRAINT "conversation_drafts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversation_drafts" ADD CONSTRAINT "conversation_drafts_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversation_drafts" ADD CONSTRAINT "conversation_drafts_quoted_message_id_messages_id_fk" FOREIGN KEY ("quoted_message_id") REFERENCES "public"."messages"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversation_reads" ADD CONSTRAINT "conversation_reads_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversation_reads" ADD CONSTRAINT "conversation_reads_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "conversation_drafts_conversation" ON "conversation_drafts" USING btree ("conversation_id");--> statement-breakpoint
CREATE INDEX "conversation_drafts_quoted" ON "conversation_drafts" USING btree ("quoted_message_id");--> statement-breakpoint
CREATE INDEX "conversation_reads_conversation" ON "conversation_reads" USING btree ("conversation_id");--> statement-breakpoint
UPDATE "conversations" SET "contact_message_count" = counted.n
  FROM (SELECT "conversation_id", count(*)::int AS n FROM "messages"
         WHERE "sender_type" = 'contact' GROUP BY "conversation_id") AS counted
 WHERE counted."conversation_id" = "conversations"."id";
