CREATE TABLE "maintenance_backups" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "maintenance_backups_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"type" text DEFAULT 'complete' NOT NULL,
	"status" text DEFAULT 'processing' NOT NULL,
	"file_path" text NOT NULL,
	"size" bigint,
	"conversations_count" integer DEFAULT 0 NOT NULL,
	"messages_count" integer DEFAULT 0 NOT NULL,
	"media_files_count" integer DEFAULT 0 NOT NULL,
	"error" text,
	"is_encrypted" boolean DEFAULT false NOT NULL,
	"is_scheduled" boolean DEFAULT false NOT NULL,
	"is_imported" boolean DEFAULT false NOT NULL,
	"proof" jsonb,
	"run_id" uuid,
	"created_by" integer,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	"completed_at" timestamp with time zone,
	CONSTRAINT "maintenance_backups_file_path_unique" UNIQUE("file_path"),
	CONSTRAINT "maintenance_backups_status" CHECK ("maintenance_backups"."status" in ('processing', 'completed', 'failed')),
	CONSTRAINT "maintenance_backups_completed" CHECK (("maintenance_backups"."status" = 'completed') = ("maintenance_backups"."completed_at" is not null and "maintenance_backups"."size" is not null))
);
--> statement-breakpoint
CREATE TABLE "maintenance_plans" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"plan" jsonb NOT NULL,
	"backup_day" text,
	"retention_day" text,
	"updated_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "maintenance_plans_single" CHECK ("maintenance_plans"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "maintenance_runs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"backup_id" integer,
	"step" text,
	"step_at" timestamp with time zone,
	"error" text,
	"plan" jsonb,
	"cleanup" jsonb,
	"retention" jsonb,
	CONSTRAINT "maintenance_runs_kind" CHECK ("maintenance_runs"."kind" in ('backup', 'preview', 'restore', 'cleanup', 'retention'))
);
--> statement-breakpoint
CREATE TABLE "restored_files" (
	"name" text PRIMARY KEY NOT NULL,
	"run_id" uuid NOT NULL
);
--> statement-breakpoint
ALTER TABLE "conversations" DROP CONSTRAINT "conversations_last_message_id_messages_id_fk";
--> statement-breakpoint
ALTER TABLE "installation" ADD COLUMN "uid" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
ALTER TABLE "installation" ADD COLUMN "sends_paused_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "maintenance_backups" ADD CONSTRAINT "maintenance_backups_run_id_job_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."job_runs"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "maintenance_backups" ADD CONSTRAINT "maintenance_backups_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "maintenance_runs" ADD CONSTRAINT "maintenance_runs_id_job_runs_id_fk" FOREIGN KEY ("id") REFERENCES "public"."job_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "maintenance_runs" ADD CONSTRAINT "maintenance_runs_backup_id_maintenance_backups_id_fk" FOREIGN KEY ("backup_id") REFERENCES "public"."maintenance_backups"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "maintenance_backups_created" ON "maintenance_backups" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "maintenance_runs_backup" ON "maintenance_runs" USING btree ("backup_id");--> statement-breakpoint
-- As the foreign key did, which looked through all conversations for each message.
CREATE FUNCTION forget_last_message() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE conversations SET last_message_id = NULL
   WHERE id = OLD.conversation_id AND last_message_id = OLD.id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER last_message_forgotten AFTER DELETE ON "messages"
  FOR EACH ROW EXECUTE FUNCTION forget_last_message();
