-- Times outside of the hours are no longer 0: all facts are computed again.
INSERT INTO "facts_due" ("conversation_id")
  SELECT NULL::integer WHERE EXISTS (SELECT FROM "conversation_facts");--> statement-breakpoint
-- The number of messages counts what a person or the client has written, no automatic texts.
UPDATE "conversations" v SET "message_count" = v."message_count" - a.n
  FROM (SELECT "conversation_id", count(*)::int AS n FROM "messages"
         WHERE "metadata" ->> 'origin' IN ('automatic', 'assistant')
           AND "message_type" NOT IN
             ('event', 'view_tracking', 'queue_notification', 'queue_position', 'queue_welcome')
         GROUP BY "conversation_id") a
 WHERE a."conversation_id" = v."id";
