CREATE TABLE "conversation_people" (
	"conversation_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	CONSTRAINT "conversation_people_conversation_id_user_id_pk" PRIMARY KEY("conversation_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "sector_people" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sector_people_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"sector_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"is_lead" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "sector_people_one" UNIQUE("sector_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "sectors" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sectors_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"name_folded" text GENERATED ALWAYS AS (lower(regexp_replace(normalize("sectors"."name", NFD), '[\u0300-\u036f]', '', 'g'))) STORED NOT NULL,
	"color" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"place" integer DEFAULT 0 NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"number_ids" integer[],
	"max_active_per_operator" integer,
	"own_settings" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"deleted_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "sectors_color" CHECK ("sectors"."color" ~* '^#[0-9a-f]{6}$'),
	CONSTRAINT "sectors_capacity" CHECK ("sectors"."max_active_per_operator" between 1 and 1000)
);
--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "sector_id" integer;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "sector_id" integer;--> statement-breakpoint
ALTER TABLE "evolution_api_config" ADD COLUMN "default_sector_id" integer;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "scope" text DEFAULT 'all' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "hides_phones" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "reveals_phones" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "conversation_people" ADD CONSTRAINT "conversation_people_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversation_people" ADD CONSTRAINT "conversation_people_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sector_people" ADD CONSTRAINT "sector_people_sector_id_sectors_id_fk" FOREIGN KEY ("sector_id") REFERENCES "public"."sectors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sector_people" ADD CONSTRAINT "sector_people_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "conversation_people_user" ON "conversation_people" USING btree ("user_id","conversation_id");--> statement-breakpoint
CREATE INDEX "sector_people_user" ON "sector_people" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "sectors_name_living" ON "sectors" USING btree ("name_folded") WHERE "sectors"."deleted_at" is null;--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_sector_id_sectors_id_fk" FOREIGN KEY ("sector_id") REFERENCES "public"."sectors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_sector_id_sectors_id_fk" FOREIGN KEY ("sector_id") REFERENCES "public"."sectors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "evolution_api_config" ADD CONSTRAINT "evolution_api_config_default_sector_id_sectors_id_fk" FOREIGN KEY ("default_sector_id") REFERENCES "public"."sectors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "conversations_sector" ON "conversations" USING btree ("sector_id","completed_at","id") WHERE "conversations"."sector_id" is not null;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_scope" CHECK ("users"."scope" in ('own', 'sector', 'all'));--> statement-breakpoint
-- Who ever had a conversation or wrote in it, whoever writes the rows.
CREATE FUNCTION "note_conversation_people"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'messages' THEN
    INSERT INTO conversation_people (conversation_id, user_id) VALUES (NEW.conversation_id, NEW.sender_id)
    ON CONFLICT DO NOTHING;
  ELSE
    INSERT INTO conversation_people (conversation_id, user_id) VALUES (NEW.id, NEW.assigned_user_id)
    ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
INSERT INTO "conversation_people" ("conversation_id", "user_id")
SELECT "id", "assigned_user_id" FROM "conversations" WHERE "assigned_user_id" IS NOT NULL
UNION
SELECT "conversation_id", "sender_id" FROM "messages" WHERE "sender_id" IS NOT NULL;--> statement-breakpoint
CREATE TRIGGER "people_of_new" AFTER INSERT ON "conversations" FOR EACH ROW
  WHEN (NEW.assigned_user_id IS NOT NULL) EXECUTE FUNCTION "note_conversation_people"();--> statement-breakpoint
CREATE TRIGGER "people_of_assigned" AFTER UPDATE OF "assigned_user_id" ON "conversations" FOR EACH ROW
  WHEN (NEW.assigned_user_id IS DISTINCT FROM OLD.assigned_user_id AND NEW.assigned_user_id IS NOT NULL)
  EXECUTE FUNCTION "note_conversation_people"();--> statement-breakpoint
-- Joining contacts moves messages to another conversation.
CREATE TRIGGER "people_of_message" AFTER INSERT OR UPDATE OF "conversation_id" ON "messages" FOR EACH ROW
  WHEN (NEW.sender_id IS NOT NULL) EXECUTE FUNCTION "note_conversation_people"();--> statement-breakpoint
-- A conversation that begins while its sector is being deleted has none.
CREATE FUNCTION "leave_deleted_sector"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM sectors WHERE id = NEW.sector_id AND deleted_at IS NULL FOR KEY SHARE;
  IF NOT FOUND THEN
    NEW.sector_id := NULL;
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER "sector_of_new" BEFORE INSERT ON "conversations" FOR EACH ROW
  WHEN (NEW.sector_id IS NOT NULL AND NEW.status <> 'completed') EXECUTE FUNCTION "leave_deleted_sector"();
