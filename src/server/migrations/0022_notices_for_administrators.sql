CREATE TABLE "webhook_refusals" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"count" integer NOT NULL,
	"since" timestamp with time zone DEFAULT app_now() NOT NULL,
	"last_at" timestamp with time zone DEFAULT app_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notice_dismissals" (
	"user_id" integer NOT NULL,
	"notice_id" integer NOT NULL,
	"dismissed_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "notice_dismissals_user_id_notice_id_pk" PRIMARY KEY("user_id","notice_id")
);
--> statement-breakpoint
CREATE TABLE "notices" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "notices_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"fact" jsonb NOT NULL,
	"since" timestamp with time zone DEFAULT app_now() NOT NULL,
	"begun_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	"shown_at" timestamp with time zone,
	"seen_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "notice_dismissals" ADD CONSTRAINT "notice_dismissals_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice_dismissals" ADD CONSTRAINT "notice_dismissals_notice_id_notices_id_fk" FOREIGN KEY ("notice_id") REFERENCES "public"."notices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "notice_dismissals_notice" ON "notice_dismissals" USING btree ("notice_id");--> statement-breakpoint
CREATE UNIQUE INDEX "notices_open" ON "notices" USING btree ("kind","subject") WHERE "notices"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "notices_ended" ON "notices" USING btree ("ended_at");