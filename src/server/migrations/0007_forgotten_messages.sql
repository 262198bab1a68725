CREATE TABLE "forgotten_messages" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "forgotten_messages_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"instance_id" integer NOT NULL,
	"whatsapp_message_id" text,
	"message_id" integer NOT NULL,
	"contact_id" integer NOT NULL,
	"message_type" text NOT NULL,
	"content" text NOT NULL,
	"file_name" text,
	"forgotten_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "forgotten_messages_whatsapp_id" UNIQUE("instance_id","whatsapp_message_id")
);
--> statement-breakpoint
ALTER TABLE "forgotten_messages" ADD CONSTRAINT "forgotten_messages_instance_id_evolution_api_config_id_fk" FOREIGN KEY ("instance_id") REFERENCES "public"."evolution_api_config"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "forgotten_messages" ADD CONSTRAINT "forgotten_messages_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "forgotten_messages_in_flight" ON "forgotten_messages" USING btree ("contact_id") WHERE "forgotten_messages"."whatsapp_message_id" is null;