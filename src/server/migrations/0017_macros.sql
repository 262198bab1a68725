CREATE TABLE "macro_runs" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "macro_runs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"run_id" text NOT NULL,
	"macro_id" integer,
	"name" text NOT NULL,
	"conversation_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"message_ids" integer[] DEFAULT '{}' NOT NULL,
	"last_entry_id" integer,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "macro_runs_run_id_unique" UNIQUE("run_id")
);
--> statement-breakpoint
CREATE TABLE "macros" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "macros_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"owner_id" integer NOT NULL,
	"name" text NOT NULL,
	"name_folded" text GENERATED ALWAYS AS (lower(regexp_replace(normalize("macros"."name", NFD), '[\u0300-\u036f]', '', 'g'))) STORED NOT NULL,
	"shortcut" text NOT NULL,
	"steps" jsonb NOT NULL,
	"file_names" text[] DEFAULT '{}' NOT NULL,
	"is_shared" boolean DEFAULT false NOT NULL,
	"sector_id" integer,
	"uses" integer DEFAULT 0 NOT NULL,
	"last_used_at" timestamp with time zone,
	"last_used_by_id" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "macros_sector" CHECK ("macros"."is_shared" or "macros"."sector_id" is null)
);
--> statement-breakpoint
DROP INDEX "files_ownerless";--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "is_of_macro" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "macro_runs" ADD CONSTRAINT "macro_runs_macro_id_macros_id_fk" FOREIGN KEY ("macro_id") REFERENCES "public"."macros"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "macro_runs" ADD CONSTRAINT "macro_runs_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "macro_runs" ADD CONSTRAINT "macro_runs_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "macros" ADD CONSTRAINT "macros_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "macros" ADD CONSTRAINT "macros_sector_id_sectors_id_fk" FOREIGN KEY ("sector_id") REFERENCES "public"."sectors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "macros" ADD CONSTRAINT "macros_last_used_by_id_users_id_fk" FOREIGN KEY ("last_used_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "macro_runs_conversation" ON "macro_runs" USING btree ("conversation_id","id");--> statement-breakpoint
CREATE INDEX "macro_runs_macro" ON "macro_runs" USING btree ("macro_id");--> statement-breakpoint
CREATE INDEX "macro_runs_user" ON "macro_runs" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "macros_owner" ON "macros" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "macros_files" ON "macros" USING gin ("file_names") WHERE "macros"."file_names" <> '{}';--> statement-breakpoint
CREATE INDEX "files_ownerless" ON "files" USING btree ("created_at") WHERE ("files"."message_id" is null and "files"."contact_id" is null and "files"."user_id" is null and not "files"."is_quick_response"
            and not "files"."is_of_macro")
          or "files"."is_passing";