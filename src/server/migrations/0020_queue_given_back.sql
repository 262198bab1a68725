DROP INDEX "conversations_queue";--> statement-breakpoint
CREATE INDEX "conversations_queue" ON "conversations" USING btree ("started_at","id") WHERE "conversations"."status" <> 'completed' and "conversations"."sub_status" = 'FILA' and "conversations"."waiting_for" = 'operator';--> statement-breakpoint
UPDATE "conversations" SET "waiting_for" = 'operator' WHERE "status" <> 'completed' AND "sub_status" = 'FILA' AND "waiting_for" = 'client'
  AND EXISTS (SELECT FROM "messages" WHERE "messages"."conversation_id" = "conversations"."id" AND "messages"."metadata" #>> '{event,act}' = 'returned');
