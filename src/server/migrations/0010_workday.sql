CREATE TABLE "pause_reasons" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "pause_reasons_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"name_folded" text GENERATED ALWAYS AS (lower(regexp_replace(normalize("pause_reasons"."name", NFD), '[\u0300-\u036f]', '', 'g'))) STORED NOT NULL,
	"icon" text NOT NULL,
	"color" text NOT NULL,
	"limit_minutes" integer,
	"counts_as_work" boolean DEFAULT false NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"place" integer DEFAULT 0 NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "pause_reasons_icon" CHECK ("pause_reasons"."icon" in ('meal', 'restroom', 'snack', 'meeting', 'training', 'call', 'health', 'break')),
	CONSTRAINT "pause_reasons_color" CHECK ("pause_reasons"."color" ~* '^#[0-9a-f]{6}$'),
	CONSTRAINT "pause_reasons_limit" CHECK ("pause_reasons"."limit_minutes" between 1 and 600)
);
--> statement-breakpoint
CREATE TABLE "work_corrections" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "work_corrections_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"period_id" integer NOT NULL,
	"state" text NOT NULL,
	"reason_id" integer,
	"limit_minutes" integer,
	"counts_as_work" boolean DEFAULT false NOT NULL,
	"why" text NOT NULL,
	"by_user_id" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "work_corrections_state" CHECK ("work_corrections"."state" in ('available', 'paused', 'away', 'idle')),
	CONSTRAINT "work_corrections_pause" CHECK (("work_corrections"."state" = 'paused') = ("work_corrections"."reason_id" is not null))
);
--> statement-breakpoint
CREATE TABLE "work_periods" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "work_periods_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"state" text NOT NULL,
	"reason_id" integer,
	"paused_at" timestamp with time zone,
	"limit_minutes" integer,
	"counts_as_work" boolean DEFAULT false NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	"seen_at" timestamp with time zone NOT NULL,
	"losses" integer DEFAULT 0 NOT NULL,
	"device" text DEFAULT '' NOT NULL,
	CONSTRAINT "work_periods_state" CHECK ("work_periods"."state" in ('available', 'paused', 'away', 'idle')),
	CONSTRAINT "work_periods_pause" CHECK (("work_periods"."state" = 'paused') = ("work_periods"."reason_id" is not null)),
	CONSTRAINT "work_periods_length" CHECK ("work_periods"."ended_at" > "work_periods"."started_at")
);
--> statement-breakpoint
ALTER TABLE "presence" ADD COLUMN "session_id" integer;--> statement-breakpoint
ALTER TABLE "presence" ADD COLUMN "left_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "pause_reason_id" integer;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "paused_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "work_corrections" ADD CONSTRAINT "work_corrections_period_id_work_periods_id_fk" FOREIGN KEY ("period_id") REFERENCES "public"."work_periods"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "work_corrections" ADD CONSTRAINT "work_corrections_reason_id_pause_reasons_id_fk" FOREIGN KEY ("reason_id") REFERENCES "public"."pause_reasons"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "work_corrections" ADD CONSTRAINT "work_corrections_by_user_id_users_id_fk" FOREIGN KEY ("by_user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "work_periods" ADD CONSTRAINT "work_periods_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "work_periods" ADD CONSTRAINT "work_periods_reason_id_pause_reasons_id_fk" FOREIGN KEY ("reason_id") REFERENCES "public"."pause_reasons"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "pause_reasons_name" ON "pause_reasons" USING btree ("name_folded");--> statement-breakpoint
CREATE INDEX "work_corrections_period" ON "work_corrections" USING btree ("period_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "work_periods_open" ON "work_periods" USING btree ("user_id") WHERE "work_periods"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "work_periods_user" ON "work_periods" USING btree ("user_id","started_at");--> statement-breakpoint
CREATE INDEX "work_periods_started" ON "work_periods" USING btree ("started_at");--> statement-breakpoint
CREATE INDEX "work_periods_reason" ON "work_periods" USING btree ("reason_id");--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_pause_reason_id_pause_reasons_id_fk" FOREIGN KEY ("pause_reason_id") REFERENCES "public"."pause_reasons"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "messages_acts" ON "messages" USING btree ("sort_at") WHERE "messages"."message_type" = 'event';--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_pause" CHECK (("users"."pause_reason_id" is null) = ("users"."paused_at" is null));--> statement-breakpoint
-- Nobody is two things at once, whoever writes. Drizzle knows no exclusion constraints.
ALTER TABLE "work_periods" ADD CONSTRAINT "work_periods_apart" EXCLUDE USING gist (int4range("user_id", "user_id", '[]') WITH &&, tstzrange("started_at", "ended_at") WITH &&);
