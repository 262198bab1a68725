CREATE TABLE "conversation_facts" (
	"conversation_id" integer PRIMARY KEY NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"first_reply_at" timestamp with time zone,
	"first_reply_ms" bigint,
	"open_first_reply_ms" bigint,
	"queue_ms" bigint,
	"open_queue_ms" bigint,
	"handling_ms" bigint,
	"open_handling_ms" bigint,
	"ended_by" text,
	CONSTRAINT "conversation_facts_ended_by" CHECK ("conversation_facts"."ended_by" in ('person', 'inactivity', 'blocked', 'anonymized'))
);
--> statement-breakpoint
CREATE TABLE "facts_due" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "facts_due_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"conversation_id" integer
);
--> statement-breakpoint
CREATE TABLE "saved_reports" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "saved_reports_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"name" text NOT NULL,
	"filter" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "saved_reports_name" UNIQUE("user_id","name")
);
--> statement-breakpoint
DROP INDEX "messages_response";--> statement-breakpoint
ALTER TABLE "conversation_facts" ADD CONSTRAINT "conversation_facts_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_reports" ADD CONSTRAINT "saved_reports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "conversation_facts_started" ON "conversation_facts" USING btree ("started_at");--> statement-breakpoint
CREATE INDEX "messages_response" ON "messages" USING btree ("sort_at","response_ms") WHERE "messages"."response_ms" is not null;--> statement-breakpoint
-- A change of what reports count, in the transaction of the change.
CREATE FUNCTION note_facts_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  CASE TG_TABLE_NAME
    WHEN 'conversations' THEN
      INSERT INTO facts_due (conversation_id) VALUES (NEW.id);
    WHEN 'messages' THEN
      IF TG_OP = 'INSERT' THEN
        -- Of the replies only the first one counts.
        IF NEW.message_type = 'event' OR NOT EXISTS (
             SELECT FROM conversation_facts
              WHERE conversation_id = NEW.conversation_id AND first_reply_at <= NEW.sort_at) THEN
          INSERT INTO facts_due (conversation_id) VALUES (NEW.conversation_id);
        END IF;
      ELSE
        INSERT INTO facts_due (conversation_id) VALUES (OLD.conversation_id);
        IF TG_OP = 'UPDATE' AND NEW.conversation_id <> OLD.conversation_id THEN
          INSERT INTO facts_due (conversation_id) VALUES (NEW.conversation_id);
        END IF;
      END IF;
    WHEN 'system_settings' THEN
      INSERT INTO facts_due (conversation_id) VALUES (NULL);
  END CASE;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER facts_due_of_new AFTER INSERT ON "conversations"
  FOR EACH ROW EXECUTE FUNCTION note_facts_due();
--> statement-breakpoint
CREATE TRIGGER facts_due_of_conversation
  AFTER UPDATE OF status, started_at, completed_at, initiated_by, is_history, pre_attendance_stage
  ON "conversations" FOR EACH ROW
  WHEN ((OLD.status, OLD.started_at, OLD.completed_at, OLD.initiated_by, OLD.is_history, OLD.pre_attendance_stage)
        IS DISTINCT FROM
        (NEW.status, NEW.started_at, NEW.completed_at, NEW.initiated_by, NEW.is_history, NEW.pre_attendance_stage))
  EXECUTE FUNCTION note_facts_due();
--> statement-breakpoint
CREATE TRIGGER facts_due_of_new_message AFTER INSERT ON "messages" FOR EACH ROW
  WHEN (NEW.sender_id IS NOT NULL OR NEW.message_type IN ('event', 'call') OR NEW.metadata ? 'origin')
  EXECUTE FUNCTION note_facts_due();
--> statement-breakpoint
CREATE TRIGGER facts_due_of_message
  AFTER UPDATE OF conversation_id, sort_at, message_type, sender_id, metadata ON "messages" FOR EACH ROW
  WHEN ((OLD.conversation_id, OLD.sort_at, OLD.message_type, OLD.sender_id,
         OLD.metadata -> 'origin', OLD.metadata -> 'event', OLD.metadata #> '{call,outcome}')
        IS DISTINCT FROM
        (NEW.conversation_id, NEW.sort_at, NEW.message_type, NEW.sender_id,
         NEW.metadata -> 'origin', NEW.metadata -> 'event', NEW.metadata #> '{call,outcome}'))
  EXECUTE FUNCTION note_facts_due();
--> statement-breakpoint
CREATE TRIGGER facts_due_of_deleted_message AFTER DELETE ON "messages" FOR EACH ROW
  WHEN (OLD.sender_id IS NOT NULL OR OLD.message_type IN ('event', 'call') OR OLD.metadata ? 'origin')
  EXECUTE FUNCTION note_facts_due();
--> statement-breakpoint
-- The hours, and whether an answer on the phone counts.
CREATE TRIGGER facts_due_of_first_settings AFTER INSERT ON "system_settings"
  FOR EACH ROW EXECUTE FUNCTION note_facts_due();
--> statement-breakpoint
CREATE TRIGGER facts_due_of_settings AFTER UPDATE OF "values" ON "system_settings" FOR EACH ROW
  WHEN ((OLD."values" -> 'workingHours', OLD."values" -> 'lunchBreak', OLD."values" -> 'timezone',
         OLD."values" -> 'scheduleExceptions', OLD."values" -> 'phoneAnswersCount')
        IS DISTINCT FROM
        (NEW."values" -> 'workingHours', NEW."values" -> 'lunchBreak', NEW."values" -> 'timezone',
         NEW."values" -> 'scheduleExceptions', NEW."values" -> 'phoneAnswersCount'))
  EXECUTE FUNCTION note_facts_due();
--> statement-breakpoint
INSERT INTO facts_due (conversation_id) SELECT id FROM conversations ORDER BY id;
