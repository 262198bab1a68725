CREATE TABLE "sla_due" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sla_due_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"conversation_id" integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX "sla_clocks_reply_near" ON "sla_clocks" USING btree ("reply_near_at") WHERE not "sla_clocks"."is_over" and "sla_clocks"."reply_kept" is null and "sla_clocks"."told_holder" & "sla_clocks"."told_leads" & 1 = 0;--> statement-breakpoint
CREATE INDEX "sla_clocks_end_near" ON "sla_clocks" USING btree ("end_near_at") WHERE not "sla_clocks"."is_over" and "sla_clocks"."end_kept" is null and "sla_clocks"."told_holder" & "sla_clocks"."told_leads" & 2 = 0;--> statement-breakpoint
-- A change of what the clocks of a conversation are computed from, in its transaction. Changes of targets and
-- hours are no matter of a conversation: the worker compares all by them.
CREATE FUNCTION "note_sla_due"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  CASE TG_TABLE_NAME
    WHEN 'conversations' THEN
      INSERT INTO sla_due (conversation_id) VALUES (NEW.id);
    WHEN 'snoozes', 'messages' THEN
      INSERT INTO sla_due (conversation_id) VALUES (NEW.conversation_id);
      -- A merge, or its undoing, moves it.
      IF TG_OP = 'UPDATE' AND OLD.conversation_id <> NEW.conversation_id THEN
        INSERT INTO sla_due (conversation_id) VALUES (OLD.conversation_id);
      END IF;
    WHEN 'contacts' THEN
      INSERT INTO sla_due (conversation_id)
        SELECT id FROM conversations WHERE contact_id = NEW.id AND status <> 'completed';
  END CASE;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "sla_due_of_new" AFTER INSERT ON "conversations" FOR EACH ROW
  WHEN (NEW.status <> 'completed' AND NOT NEW.is_history) EXECUTE FUNCTION "note_sla_due"();--> statement-breakpoint
CREATE TRIGGER "sla_due_of_conversation" AFTER UPDATE ON "conversations" FOR EACH ROW
  WHEN ((OLD.status, OLD.waiting_for, OLD.waiting_since, OLD.sector_id, OLD.instance_id, OLD.started_at,
         OLD.snoozed_until, OLD.contact_id, OLD.is_history)
        IS DISTINCT FROM
        (NEW.status, NEW.waiting_for, NEW.waiting_since, NEW.sector_id, NEW.instance_id, NEW.started_at,
         NEW.snoozed_until, NEW.contact_id, NEW.is_history)
        -- On hold an answer changes nothing of who waits.
        OR (NEW.snoozed_until IS NOT NULL AND OLD.message_count <> NEW.message_count))
  EXECUTE FUNCTION "note_sla_due"();--> statement-breakpoint
CREATE TRIGGER "sla_due_of_hold" AFTER INSERT OR UPDATE ON "snoozes" FOR EACH ROW
  EXECUTE FUNCTION "note_sla_due"();--> statement-breakpoint
CREATE TRIGGER "sla_due_of_contact" AFTER UPDATE OF "category" ON "contacts" FOR EACH ROW
  WHEN (OLD.category IS DISTINCT FROM NEW.category) EXECUTE FUNCTION "note_sla_due"();--> statement-breakpoint
-- A reply that has failed, or was deleted before it was sent, is none; also on hold, where nobody waits.
CREATE TRIGGER "sla_due_of_message" AFTER UPDATE OF "delivery_status" ON "messages" FOR EACH ROW
  WHEN (OLD.sender_id IS NOT NULL
        AND (coalesce(OLD.delivery_status, 'failed') = 'failed')
            <> (coalesce(NEW.delivery_status, 'failed') = 'failed'))
  EXECUTE FUNCTION "note_sla_due"();--> statement-breakpoint
CREATE TRIGGER "sla_due_of_moved_message" AFTER UPDATE OF "conversation_id" ON "messages" FOR EACH ROW
  WHEN (OLD.conversation_id <> NEW.conversation_id AND NEW.message_type <> 'event')
  EXECUTE FUNCTION "note_sla_due"();--> statement-breakpoint
CREATE TRIGGER "facts_due_of_delivery" AFTER UPDATE OF "delivery_status" ON "messages" FOR EACH ROW
  WHEN (OLD.sender_id IS NOT NULL
        AND (coalesce(OLD.delivery_status, 'failed') = 'failed')
            <> (coalesce(NEW.delivery_status, 'failed') = 'failed'))
  EXECUTE FUNCTION "note_facts_due"();--> statement-breakpoint
-- The time on hold counts no more in the times of reports, nor does a reply that never reached anybody.
INSERT INTO "facts_due" ("conversation_id") SELECT "conversation_id" FROM "snoozes"
  UNION SELECT "conversation_id" FROM "messages"
         WHERE "sender_id" IS NOT NULL AND "message_type" NOT IN ('event', 'note')
           AND coalesce("delivery_status", 'failed') = 'failed';
