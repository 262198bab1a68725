CREATE TABLE "undone_sends" (
	"conversation_id" integer NOT NULL,
	"client_message_id" text NOT NULL,
	"undone_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "undone_sends_conversation_id_client_message_id_pk" PRIMARY KEY("conversation_id","client_message_id")
);
--> statement-breakpoint
ALTER TABLE "undone_sends" ADD CONSTRAINT "undone_sends_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;