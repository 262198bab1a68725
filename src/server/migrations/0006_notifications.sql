CREATE TABLE "conversation_followers" (
	"conversation_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"since" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "conversation_followers_conversation_id_user_id_pk" PRIMARY KEY("conversation_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "notifications" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "notifications_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"kind" text NOT NULL,
	"conversation_id" integer NOT NULL,
	"message_id" integer,
	"actor_id" integer,
	"sector_id" integer,
	"count" integer DEFAULT 1 NOT NULL,
	"happened_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	"read_at" timestamp with time zone,
	CONSTRAINT "notifications_kind" CHECK ("notifications"."kind" in ('mention', 'follow')),
	CONSTRAINT "notifications_mention_of_note" CHECK ("notifications"."kind" <> 'mention' or "notifications"."message_id" is not null)
);
--> statement-breakpoint
ALTER TABLE "conversation_followers" ADD CONSTRAINT "conversation_followers_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversation_followers" ADD CONSTRAINT "conversation_followers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_message_id_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_sector_id_sectors_id_fk" FOREIGN KEY ("sector_id") REFERENCES "public"."sectors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "conversation_followers_user" ON "conversation_followers" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "notifications_mention" ON "notifications" USING btree ("user_id","message_id") WHERE "notifications"."kind" = 'mention';--> statement-breakpoint
CREATE UNIQUE INDEX "notifications_follow" ON "notifications" USING btree ("user_id","conversation_id") WHERE "notifications"."kind" = 'follow' and "notifications"."read_at" is null;--> statement-breakpoint
CREATE INDEX "notifications_of_person" ON "notifications" USING btree ("user_id","happened_at","id");--> statement-breakpoint
CREATE INDEX "notifications_unread" ON "notifications" USING btree ("user_id","conversation_id") WHERE "notifications"."read_at" is null;--> statement-breakpoint
CREATE INDEX "notifications_conversation" ON "notifications" USING btree ("conversation_id");--> statement-breakpoint
CREATE INDEX "notifications_message" ON "notifications" USING btree ("message_id");