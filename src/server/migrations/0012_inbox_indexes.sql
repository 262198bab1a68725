DROP INDEX "webhook_inbox_todo";--> statement-breakpoint
DROP INDEX "webhook_inbox_order";--> statement-breakpoint
CREATE INDEX "webhook_inbox_oldest" ON "webhook_inbox" USING btree ("id") WHERE "webhook_inbox"."processed_at" is null and "webhook_inbox"."dead_reason" is null and "webhook_inbox"."instance_id" is not null
            and "webhook_inbox"."id" > 0;