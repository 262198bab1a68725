CREATE INDEX "webhook_inbox_lanes" ON "webhook_inbox" USING btree ("lane","id") WHERE "webhook_inbox"."processed_at" is null and "webhook_inbox"."dead_reason" is null and "webhook_inbox"."instance_id" is not null;--> statement-breakpoint
-- A queue is read from its old end, over the rows that are done: they are cleared away by their number, not by their part of the table.
ALTER TABLE "webhook_inbox" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);
