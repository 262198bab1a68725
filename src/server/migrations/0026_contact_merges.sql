CREATE TABLE "company_distinctions" (
	"first_id" integer NOT NULL,
	"second_id" integer NOT NULL,
	"declared_by" integer NOT NULL,
	"declared_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "company_distinctions_first_id_second_id_pk" PRIMARY KEY("first_id","second_id"),
	CONSTRAINT "company_distinctions_order" CHECK ("company_distinctions"."first_id" < "company_distinctions"."second_id")
);
--> statement-breakpoint
CREATE TABLE "contact_distinctions" (
	"first_id" integer NOT NULL,
	"second_id" integer NOT NULL,
	"declared_by" integer NOT NULL,
	"declared_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "contact_distinctions_first_id_second_id_pk" PRIMARY KEY("first_id","second_id"),
	CONSTRAINT "contact_distinctions_order" CHECK ("contact_distinctions"."first_id" < "contact_distinctions"."second_id")
);
--> statement-breakpoint
CREATE TABLE "contact_merges" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "contact_merges_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"kept_id" integer NOT NULL,
	"merged_id" integer NOT NULL,
	"merged_by" integer NOT NULL,
	"merged_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	"undone_at" timestamp with time zone,
	"undo" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "company_distinctions" ADD CONSTRAINT "company_distinctions_first_id_companies_id_fk" FOREIGN KEY ("first_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "company_distinctions" ADD CONSTRAINT "company_distinctions_second_id_companies_id_fk" FOREIGN KEY ("second_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "company_distinctions" ADD CONSTRAINT "company_distinctions_declared_by_users_id_fk" FOREIGN KEY ("declared_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_distinctions" ADD CONSTRAINT "contact_distinctions_first_id_contacts_id_fk" FOREIGN KEY ("first_id") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_distinctions" ADD CONSTRAINT "contact_distinctions_second_id_contacts_id_fk" FOREIGN KEY ("second_id") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_distinctions" ADD CONSTRAINT "contact_distinctions_declared_by_users_id_fk" FOREIGN KEY ("declared_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_merges" ADD CONSTRAINT "contact_merges_kept_id_contacts_id_fk" FOREIGN KEY ("kept_id") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_merges" ADD CONSTRAINT "contact_merges_merged_id_contacts_id_fk" FOREIGN KEY ("merged_id") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_merges" ADD CONSTRAINT "contact_merges_merged_by_users_id_fk" FOREIGN KEY ("merged_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "company_distinctions_second" ON "company_distinctions" USING btree ("second_id");--> statement-breakpoint
CREATE INDEX "contact_distinctions_second" ON "contact_distinctions" USING btree ("second_id");--> statement-breakpoint
CREATE INDEX "contact_merges_merged_at" ON "contact_merges" USING btree ("merged_at");