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
CREATE INDEX "open_search_words" ON "open_search" USING gin ("words") WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "open_search_contact" ON "open_search" USING btree ("contact_id");--> statement-breakpoint
-- The words of open conversations are kept, too: their messages are noted as they come and go.
CREATE OR REPLACE FUNCTION "note_search_due"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  CASE TG_TABLE_NAME
    WHEN 'conversations' THEN
      INSERT INTO search_due (conversation_id) VALUES (CASE TG_OP WHEN 'DELETE' THEN OLD.id ELSE NEW.id END);
    WHEN 'messages' THEN
      IF TG_OP = 'UPDATE' THEN
        INSERT INTO search_due (conversation_id) VALUES (NEW.conversation_id);
        IF NEW.conversation_id <> OLD.conversation_id THEN
          INSERT INTO search_due (conversation_id) VALUES (OLD.conversation_id);
        END IF;
      ELSE
        -- Whoever writes a message into a completed conversation changes that, too.
        INSERT INTO search_due (conversation_id)
        SELECT id FROM conversations
         WHERE id = CASE TG_OP WHEN 'DELETE' THEN OLD.conversation_id ELSE NEW.conversation_id END
           AND status <> 'completed';
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
