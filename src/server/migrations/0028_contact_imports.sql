CREATE TABLE "contact_import_rows" (
	"import_id" integer NOT NULL,
	"line" integer NOT NULL,
	"outcome" text NOT NULL,
	"contact_id" integer,
	"before" jsonb,
	"after" jsonb,
	"cells" jsonb,
	"field" text,
	"value" text,
	"error" text,
	CONSTRAINT "contact_import_rows_import_id_line_pk" PRIMARY KEY("import_id","line"),
	CONSTRAINT "contact_import_rows_outcome" CHECK ("contact_import_rows"."outcome" in ('created', 'updated', 'error'))
);
--> statement-breakpoint
CREATE TABLE "contact_imports" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "contact_imports_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"file_name" text NOT NULL,
	"stored_name" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"format" text NOT NULL,
	"encoding" text,
	"has_bom" boolean NOT NULL,
	"separator" text,
	"headers" text[] NOT NULL,
	"samples" text[] NOT NULL,
	"first_rows" jsonb NOT NULL,
	"total_rows" integer NOT NULL,
	"mapping" jsonb NOT NULL,
	"mapping_from" timestamp with time zone,
	"known_rows" integer,
	"known" text DEFAULT 'update' NOT NULL,
	"state" text DEFAULT 'read' NOT NULL,
	"run_id" uuid,
	"actor" jsonb,
	"may_create_companies" boolean DEFAULT false NOT NULL,
	"uploaded_by" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	"started_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"resumed_at" timestamp with time zone,
	"resumed_rows" integer DEFAULT 0 NOT NULL,
	"done_line" integer DEFAULT 0 NOT NULL,
	"done_rows" integer DEFAULT 0 NOT NULL,
	"created" integer DEFAULT 0 NOT NULL,
	"updated" integer DEFAULT 0 NOT NULL,
	"kept" integer DEFAULT 0 NOT NULL,
	"errors" integer DEFAULT 0 NOT NULL,
	"undone_line" integer,
	"undone_rows" integer DEFAULT 0 NOT NULL,
	"deleted" integer DEFAULT 0 NOT NULL,
	"restored" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "contact_imports_stored_name_unique" UNIQUE("stored_name"),
	CONSTRAINT "contact_imports_state" CHECK ("contact_imports"."state" in ('read', 'running', 'stopped', 'failed', 'done', 'undoing', 'undone')),
	CONSTRAINT "contact_imports_known" CHECK ("contact_imports"."known" in ('update', 'skip'))
);
--> statement-breakpoint
ALTER TABLE "contact_import_rows" ADD CONSTRAINT "contact_import_rows_import_id_contact_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."contact_imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_imports" ADD CONSTRAINT "contact_imports_uploaded_by_users_id_fk" FOREIGN KEY ("uploaded_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "contact_import_rows_errors" ON "contact_import_rows" USING btree ("import_id","field","line") WHERE "contact_import_rows"."outcome" = 'error';--> statement-breakpoint
CREATE INDEX "contact_imports_created" ON "contact_imports" USING btree ("created_at","id");