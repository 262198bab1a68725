CREATE TABLE "conversation_search" (
	"conversation_id" integer NOT NULL,
	"part" smallint NOT NULL,
	"completed_at" timestamp with time zone NOT NULL,
	"assigned_user_id" integer,
	"contact_id" integer NOT NULL,
	"first_message_id" integer,
	"last_message_id" integer,
	"words" "tsvector" NOT NULL,
	CONSTRAINT "conversation_search_conversation_id_part_pk" PRIMARY KEY("conversation_id","part")
);
--> statement-breakpoint
CREATE TABLE "search_due" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "search_due_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"conversation_id" integer NOT NULL,
	"due_at" timestamp with time zone DEFAULT app_now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "conversation_search" ADD CONSTRAINT "conversation_search_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversation_search" ADD CONSTRAINT "conversation_search_assigned_user_id_users_id_fk" FOREIGN KEY ("assigned_user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversation_search" ADD CONSTRAINT "conversation_search_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "conversation_search_words" ON "conversation_search" USING gin ("words") WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "conversation_search_completed" ON "conversation_search" USING btree ("completed_at","conversation_id");--> statement-breakpoint
CREATE INDEX "conversation_search_contact" ON "conversation_search" USING btree ("contact_id");--> statement-breakpoint
CREATE INDEX "conversations_archived" ON "conversations" USING btree ("completed_at","id") WHERE "conversations"."status" = 'completed' and "conversations"."pre_attendance_stage" is distinct from 'waiting_option' and "conversations"."pre_attendance_stage" is distinct from 'cancelled';--> statement-breakpoint
-- A change of what is searched in a completed conversation, in the transaction of the change.
CREATE FUNCTION note_search_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  CASE TG_TABLE_NAME
    WHEN 'conversations' THEN
      INSERT INTO search_due (conversation_id) VALUES (NEW.id);
    WHEN 'messages' THEN
      INSERT INTO search_due (conversation_id)
      SELECT id FROM conversations WHERE id = NEW.conversation_id AND status = 'completed';
    WHEN 'contacts' THEN
      INSERT INTO search_due (conversation_id)
      SELECT id FROM conversations WHERE contact_id = NEW.id AND status = 'completed';
    WHEN 'companies' THEN
      INSERT INTO search_due (conversation_id)
      SELECT v.id FROM conversations v JOIN contacts c ON c.id = v.contact_id
       WHERE c.company_id = NEW.id AND v.status = 'completed';
  END CASE;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER search_due_of_new AFTER INSERT ON "conversations"
  FOR EACH ROW WHEN (NEW.status = 'completed') EXECUTE FUNCTION note_search_due();
--> statement-breakpoint
CREATE TRIGGER search_due_of_conversation AFTER UPDATE ON "conversations"
  FOR EACH ROW WHEN (NEW.status = 'completed') EXECUTE FUNCTION note_search_due();
--> statement-breakpoint
CREATE TRIGGER search_due_of_message AFTER UPDATE OF content, file_name, message_type, deleted_at, metadata, conversation_id
  ON "messages" FOR EACH ROW
  WHEN (OLD.content IS DISTINCT FROM NEW.content OR OLD.file_name IS DISTINCT FROM NEW.file_name
        OR OLD.message_type IS DISTINCT FROM NEW.message_type OR OLD.deleted_at IS DISTINCT FROM NEW.deleted_at
        OR OLD.metadata IS DISTINCT FROM NEW.metadata OR OLD.conversation_id IS DISTINCT FROM NEW.conversation_id)
  EXECUTE FUNCTION note_search_due();
--> statement-breakpoint
CREATE TRIGGER search_due_of_contact AFTER UPDATE OF name, tags, company_id ON "contacts" FOR EACH ROW
  WHEN (OLD.name IS DISTINCT FROM NEW.name OR OLD.tags IS DISTINCT FROM NEW.tags
        OR OLD.company_id IS DISTINCT FROM NEW.company_id)
  EXECUTE FUNCTION note_search_due();
--> statement-breakpoint
CREATE TRIGGER search_due_of_company AFTER UPDATE OF name ON "companies" FOR EACH ROW
  WHEN (OLD.name IS DISTINCT FROM NEW.name) EXECUTE FUNCTION note_search_due();
--> statement-breakpoint
INSERT INTO search_due (conversation_id) SELECT id FROM conversations WHERE status = 'completed' ORDER BY id;
