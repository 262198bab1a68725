ALTER TABLE "messages" DROP CONSTRAINT "messages_type";--> statement-breakpoint
CREATE INDEX "messages_notes" ON "messages" USING btree ("conversation_id","sort_at","id") WHERE "messages"."message_type" = 'note';--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_note_stays_inside" CHECK ("messages"."message_type" <> 'note' or ("messages"."sender_type" = 'user' and "messages"."delivery_status" is null and "messages"."whatsapp_message_id" is null));--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_type" CHECK ("messages"."message_type" in ('text', 'image', 'video', 'audio', 'document', 'sticker', 'contact', 'location', 'poll', 'call', 'unsupported', 'event', 'note', 'view_tracking', 'warning_auto', 'operator_initiated_warning', 'queue_notification', 'queue_position', 'queue_welcome'));--> statement-breakpoint
-- A note of the team is never sent, whatever the code does: the outbox does not take it.
CREATE FUNCTION "refuse_note_in_outbox"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM messages WHERE id = NEW.message_id AND message_type = 'note') THEN
    RAISE EXCEPTION 'message % is a note of the team and is never sent', NEW.message_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'outbox_without_notes', TABLE = 'outbox';
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "outbox_without_notes" AFTER INSERT OR UPDATE OF "message_id" ON "outbox"
  FOR EACH ROW EXECUTE FUNCTION "refuse_note_in_outbox"();--> statement-breakpoint
-- Neither does a note become a message that is sent, nor a message that was sent a note.
CREATE FUNCTION "refuse_change_of_note"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'message % cannot change between a note of the team and another kind', NEW.id
    USING ERRCODE = 'check_violation', CONSTRAINT = 'messages_note_for_good', TABLE = 'messages';
END $$;--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "messages_note_for_good" AFTER UPDATE OF "message_type" ON "messages"
  FOR EACH ROW WHEN ((OLD.message_type = 'note') <> (NEW.message_type = 'note'))
  EXECUTE FUNCTION "refuse_change_of_note"();
