CREATE TABLE "open_search" (
	"conversation_id" integer NOT NULL,
	"part" smallint NOT NULL,
	"contact_id" integer NOT NULL,
	"last_message_at" timestamp with time zone NOT NULL,
	"first_message_id" integer,
	"last_message_id" integer,
	"words" "tsvector" NOT NULL,
	CONSTRAINT "open_search_conversation_id_part_pk" PRIMARY KEY("conversation_id","part")
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "invitations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"token_hash" text NOT NULL,
	"name" text DEFAULT '' NOT NULL,
	"role" text NOT NULL,
	"number_ids" integer[],
	"flags" jsonb,
	"invited_by" integer NOT NULL,
	"sent_to" text,
	"sent_at" timestamp with time zone,
	"expires_at" timestamp with time zone NOT NULL,
	"withdrawn_at" timestamp with time zone,
	"used_at" timestamp with time zone,
	"user_id" integer,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "invitations_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "invitations_role" CHECK ("invitations"."role" in ('admin', 'supervisor', 'operator'))
);
--> statement-breakpoint
ALTER TABLE "evolution_api_config" DROP CONSTRAINT "evolution_api_config_status";--> statement-breakpoint
ALTER TABLE "evolution_api_config" DROP CONSTRAINT "evolution_api_config_closed_reason";--> statement-breakpoint
ALTER TABLE "contact_import_rows" ADD COLUMN "is_undone" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "contact_imports" ADD COLUMN "deleted_companies" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "contact_imports" ADD COLUMN "company_ids" integer[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "auto_close_from" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "held_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "claim" text;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "given_id" text;--> statement-breakpoint
ALTER TABLE "search_due" ADD COLUMN "message_id" integer;--> statement-breakpoint
ALTER TABLE "evolution_api_config" ADD COLUMN "inactivity_from" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "evolution_api_config" ADD COLUMN "release" text;--> statement-breakpoint
ALTER TABLE "evolution_api_config" ADD COLUMN "release_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "evolution_api_config" ADD COLUMN "keeps_ids" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "evolution_api_config" ADD COLUMN "own_version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "first_steps" ADD COLUMN "is_hours_skipped" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_invited_by_users_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "open_search_words" ON "open_search" USING gin ("words") WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "open_search_parts" ON "open_search" USING gin ("words") WITH (fastupdate=false) WHERE "open_search"."first_message_id" is not null;--> statement-breakpoint
CREATE INDEX "open_search_contact" ON "open_search" USING btree ("contact_id");--> statement-breakpoint
ALTER TABLE "evolution_api_config" ADD CONSTRAINT "evolution_api_config_status" CHECK ("evolution_api_config"."status" in ('open', 'connecting', 'close', 'unreachable', 'unauthorized', 'unlicensed', 'disconnected'));--> statement-breakpoint
ALTER TABLE "evolution_api_config" ADD CONSTRAINT "evolution_api_config_closed_reason" CHECK ("evolution_api_config"."closed_reason" in ('codes', 'phone', 'us', 'banned', 'replaced', 'timed_out'));--> statement-breakpoint
-- The words of open conversations are kept, too: their messages are noted as they come and go.
CREATE OR REPLACE FUNCTION "note_search_due"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  CASE TG_TABLE_NAME
    WHEN 'conversations' THEN
      INSERT INTO search_due (conversation_id) VALUES (CASE TG_OP WHEN 'DELETE' THEN OLD.id ELSE NEW.id END);
    WHEN 'messages' THEN
      IF TG_OP = 'UPDATE' THEN
        INSERT INTO search_due (conversation_id, message_id) VALUES (NEW.conversation_id, NEW.id);
        IF NEW.conversation_id <> OLD.conversation_id THEN
          INSERT INTO search_due (conversation_id) VALUES (OLD.conversation_id);
        END IF;
      ELSIF TG_OP = 'INSERT' THEN
        -- Whoever writes a message into a completed conversation changes that, too.
        INSERT INTO search_due (conversation_id, message_id)
        SELECT id, NEW.id FROM conversations WHERE id = NEW.conversation_id AND status <> 'completed';
      ELSE
        INSERT INTO search_due (conversation_id)
        SELECT id FROM conversations WHERE id = OLD.conversation_id AND status <> 'completed';
      END IF;
    WHEN 'contacts' THEN
      INSERT INTO search_due (conversation_id) SELECT id FROM conversations WHERE contact_id = NEW.id;
    WHEN 'companies' THEN
      INSERT INTO search_due (conversation_id)
      SELECT v.id FROM conversations v JOIN contacts c ON c.id = v.contact_id WHERE c.company_id = NEW.id;
  END CASE;
  RETURN NULL;
END $$;--> statement-breakpoint
DROP TRIGGER "search_due_of_conversation" ON "conversations";--> statement-breakpoint
-- Lists show the last message that no automatic text is; no words change by it.
UPDATE "conversations" v SET "last_message_id" = (
  SELECT m."id" FROM "messages" m
   WHERE m."conversation_id" = v."id" AND coalesce(m."metadata" ->> 'origin', '') <> 'automatic'
     AND m."message_type" NOT IN
       ('event', 'view_tracking', 'queue_notification', 'queue_position', 'queue_welcome')
   ORDER BY m."sort_at" DESC, m."id" DESC LIMIT 1)
  FROM "messages" l
 WHERE l."id" = v."last_message_id" AND l."metadata" ->> 'origin' = 'automatic';--> statement-breakpoint
CREATE TRIGGER "search_due_of_conversation" AFTER UPDATE ON "conversations" FOR EACH ROW
  WHEN (NEW.status = 'completed' OR OLD.status = 'completed'
        OR (OLD.contact_id, OLD.notes) IS DISTINCT FROM (NEW.contact_id, NEW.notes))
  EXECUTE FUNCTION "note_search_due"();--> statement-breakpoint
CREATE TRIGGER "search_due_of_deleted" AFTER DELETE ON "conversations" FOR EACH ROW
  WHEN (OLD.status <> 'completed') EXECUTE FUNCTION "note_search_due"();--> statement-breakpoint
CREATE TRIGGER "search_due_of_new_message" AFTER INSERT ON "messages" FOR EACH ROW
  WHEN (NEW.message_type NOT IN
          ('view_tracking', 'queue_notification', 'queue_position', 'queue_welcome'))
  EXECUTE FUNCTION "note_search_due"();--> statement-breakpoint
CREATE TRIGGER "search_due_of_deleted_message" AFTER DELETE ON "messages" FOR EACH ROW
  EXECUTE FUNCTION "note_search_due"();--> statement-breakpoint
-- Those of today are read in the background.
INSERT INTO "search_due" ("conversation_id") SELECT "id" FROM "conversations" WHERE "status" <> 'completed';
