CREATE TABLE "audit_checks" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"checked_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	"position" integer NOT NULL,
	"breaks" integer NOT NULL,
	"first_position" integer,
	"first_fault" text,
	CONSTRAINT "audit_checks_single" CHECK ("audit_checks"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "audit_head" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"position" integer NOT NULL,
	"hash" text NOT NULL,
	"sealed_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "audit_head_single" CHECK ("audit_head"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "audit_personal" (
	"log_id" integer PRIMARY KEY NOT NULL,
	"salt" text,
	"values" jsonb,
	"erased_by" integer,
	CONSTRAINT "audit_personal_erased" CHECK (("audit_personal"."values" is null) = ("audit_personal"."erased_by" is not null)),
	CONSTRAINT "audit_personal_salt" CHECK (("audit_personal"."values" is null) = ("audit_personal"."salt" is null))
);
--> statement-breakpoint
DROP INDEX "audit_logs_created";--> statement-breakpoint
DROP INDEX "audit_logs_resource";--> statement-breakpoint
ALTER TABLE "audit_logs" ADD COLUMN "role" text;--> statement-breakpoint
ALTER TABLE "audit_logs" ADD COLUMN "session_id" integer;--> statement-breakpoint
ALTER TABLE "audit_logs" ADD COLUMN "origin" text;--> statement-breakpoint
ALTER TABLE "audit_logs" ADD COLUMN "outcome" text DEFAULT 'done' NOT NULL;--> statement-breakpoint
ALTER TABLE "audit_logs" ADD COLUMN "repeats" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "audit_logs" ADD COLUMN "repeat_key" text;--> statement-breakpoint
ALTER TABLE "audit_logs" ADD COLUMN "personal_hash" text;--> statement-breakpoint
ALTER TABLE "audit_logs" ADD COLUMN "position" integer;--> statement-breakpoint
ALTER TABLE "audit_logs" ADD COLUMN "hash" text;--> statement-breakpoint
ALTER TABLE "audit_personal" ADD CONSTRAINT "audit_personal_log_id_audit_logs_id_fk" FOREIGN KEY ("log_id") REFERENCES "public"."audit_logs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_personal" ADD CONSTRAINT "audit_personal_erased_by_audit_logs_id_fk" FOREIGN KEY ("erased_by") REFERENCES "public"."audit_logs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_personal_address" ON "audit_personal" USING btree (("values" ->> 'address'),"log_id");--> statement-breakpoint
CREATE INDEX "audit_logs_group" ON "audit_logs" USING btree (split_part("action", '.', 1),"created_at","id");--> statement-breakpoint
CREATE INDEX "audit_logs_user" ON "audit_logs" USING btree ("user_id","created_at","id");--> statement-breakpoint
CREATE INDEX "audit_logs_refused" ON "audit_logs" USING btree ("created_at","id") WHERE "audit_logs"."outcome" = 'refused';--> statement-breakpoint
CREATE UNIQUE INDEX "audit_logs_position" ON "audit_logs" USING btree ("position");--> statement-breakpoint
CREATE INDEX "audit_logs_unsealed" ON "audit_logs" USING btree ("id") WHERE "audit_logs"."position" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "audit_logs_repeat" ON "audit_logs" USING btree ("repeat_key") WHERE "audit_logs"."repeat_key" is not null;--> statement-breakpoint
CREATE INDEX "audit_logs_created" ON "audit_logs" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "audit_logs_resource" ON "audit_logs" USING btree ("resource_type","resource_id","created_at","id");--> statement-breakpoint
ALTER TABLE "audit_logs" ADD CONSTRAINT "audit_logs_outcome" CHECK ("audit_logs"."outcome" in ('done', 'refused'));--> statement-breakpoint
ALTER TABLE "audit_logs" ADD CONSTRAINT "audit_logs_sealed" CHECK (("audit_logs"."position" is null) = ("audit_logs"."hash" is null));--> statement-breakpoint
ALTER TABLE "audit_logs" ADD CONSTRAINT "audit_logs_counted" CHECK ("audit_logs"."position" is null or "audit_logs"."repeat_key" is null);--> statement-breakpoint
UPDATE "audit_logs" SET "action" = 'auth.other_user' WHERE "action" = 'live.other_user';--> statement-breakpoint
INSERT INTO "audit_head" ("position", "hash") VALUES (0, repeat('0', 64));--> statement-breakpoint
-- Rows are only added. Until it is sealed a row may count repetitions; then nothing of it changes any more.
CREATE FUNCTION audit_logs_kept() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  movable constant text[] := '{position,hash,repeats,repeat_key}';
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF OLD.position IS NULL AND to_jsonb(OLD) - movable = to_jsonb(NEW) - movable THEN RETURN NEW; END IF;
  END IF;
  RAISE EXCEPTION 'audit_logs: rows are only added' USING ERRCODE = 'restrict_violation';
END $$;--> statement-breakpoint
CREATE TRIGGER audit_logs_kept BEFORE UPDATE OR DELETE ON "audit_logs" FOR EACH ROW EXECUTE FUNCTION audit_logs_kept();--> statement-breakpoint
CREATE TRIGGER audit_logs_not_emptied BEFORE TRUNCATE ON "audit_logs" FOR EACH STATEMENT EXECUTE FUNCTION audit_logs_kept();
