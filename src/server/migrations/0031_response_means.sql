DROP INDEX "messages_response";--> statement-breakpoint
CREATE INDEX "messages_response" ON "messages" USING btree ("sort_at","response_ms") WHERE "messages"."response_ms" is not null;