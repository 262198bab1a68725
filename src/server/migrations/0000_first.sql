-- The product's clock: the database's now() plus an offset that is 0 outside tests (set by the connection).
CREATE FUNCTION app_now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE AS
$$ SELECT now() + coalesce(nullif(current_setting('balcao.clock_offset', true), ''), '0')::interval $$;
--> statement-breakpoint
-- Six digits a day for protocols; a sequence has no gaps to wait for and no row to lock.
CREATE SEQUENCE conversation_protocol MINVALUE 0 MAXVALUE 999999 CYCLE;
--> statement-breakpoint
CREATE TABLE "audit_logs" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_logs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer,
	"action" text NOT NULL,
	"resource_type" text NOT NULL,
	"resource_id" text,
	"details" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "companies" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "companies_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"phone" text,
	"responsible_name" text,
	"is_active" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT app_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "contact_categories" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "contact_categories_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"description" text,
	"priority" integer DEFAULT 1 NOT NULL,
	"color" text DEFAULT '#6b7280' NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "contact_categories_priority" CHECK ("contact_categories"."priority" between 1 and 10),
	CONSTRAINT "contact_categories_color" CHECK ("contact_categories"."color" ~* '^#[0-9a-f]{6}$')
);
--> statement-breakpoint
CREATE TABLE "contact_identities" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "contact_identities_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"contact_id" integer NOT NULL,
	"kind" text NOT NULL,
	"value" text NOT NULL,
	"jid" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "contact_identities_value" UNIQUE("kind","value"),
	CONSTRAINT "contact_identities_kind" CHECK ("contact_identities"."kind" in ('phone', 'lid'))
);
--> statement-breakpoint
CREATE TABLE "contacts" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "contacts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"phone" text,
	"email" text,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"category" text DEFAULT 'general' NOT NULL,
	"notes" text,
	"company_id" integer,
	"is_active" boolean DEFAULT true NOT NULL,
	"is_blocked" boolean DEFAULT false NOT NULL,
	"avatar_url" text,
	"avatar_updated_at" timestamp with time zone,
	"has_gateway_name" boolean DEFAULT false NOT NULL,
	"deleted_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "contacts_phone_digits" CHECK ("contacts"."phone" ~ '^[0-9]{8,15}$')
);
--> statement-breakpoint
CREATE TABLE "conversations" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "conversations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"instance_id" integer NOT NULL,
	"contact_id" integer NOT NULL,
	"protocol" text NOT NULL,
	"assigned_user_id" integer,
	"status" text DEFAULT 'waiting' NOT NULL,
	"sub_status" text DEFAULT 'FILA' NOT NULL,
	"waiting_for" text DEFAULT 'operator' NOT NULL,
	"waiting_since" timestamp with time zone,
	"priority" text DEFAULT 'normal' NOT NULL,
	"initiated_by" text DEFAULT 'contact' NOT NULL,
	"disable_auto_close" boolean DEFAULT false NOT NULL,
	"pre_attendance_stage" text,
	"started_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	"completed_at" timestamp with time zone,
	"last_activity_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	"satisfaction" integer,
	"notes" text,
	"message_count" integer DEFAULT 0 NOT NULL,
	"last_message_id" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "conversations_protocol_unique" UNIQUE("protocol"),
	CONSTRAINT "conversations_status" CHECK ("conversations"."status" in ('waiting', 'active', 'completed')),
	CONSTRAINT "conversations_sub_status" CHECK ("conversations"."sub_status" in ('FILA', 'OPERADOR')),
	CONSTRAINT "conversations_waiting_for" CHECK ("conversations"."waiting_for" in ('operator', 'client')),
	CONSTRAINT "conversations_priority" CHECK ("conversations"."priority" in ('low', 'normal', 'high')),
	CONSTRAINT "conversations_initiated_by" CHECK ("conversations"."initiated_by" in ('contact', 'operator')),
	CONSTRAINT "conversations_satisfaction" CHECK ("conversations"."satisfaction" between 1 and 5),
	CONSTRAINT "conversations_completed_at" CHECK (("conversations"."status" = 'completed') = ("conversations"."completed_at" is not null)),
	CONSTRAINT "conversations_protocol" CHECK ("conversations"."protocol" ~ '^[0-9]{14}$')
);
--> statement-breakpoint
CREATE TABLE "message_reactions" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "message_reactions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"message_id" integer NOT NULL,
	"sender" text NOT NULL,
	"emoji" text NOT NULL,
	"reacted_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "message_reactions_one" UNIQUE("message_id","sender"),
	CONSTRAINT "message_reactions_sender" CHECK ("message_reactions"."sender" in ('contact', 'user'))
);
--> statement-breakpoint
CREATE TABLE "message_versions" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "message_versions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"message_id" integer NOT NULL,
	"content" text NOT NULL,
	"replaced_at" timestamp with time zone DEFAULT app_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "messages" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "messages_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"conversation_id" integer NOT NULL,
	"instance_id" integer NOT NULL,
	"sender_id" integer,
	"sender_type" text NOT NULL,
	"content" text NOT NULL,
	"message_type" text DEFAULT 'text' NOT NULL,
	"file_name" text,
	"file_url" text,
	"file_mime_type" text,
	"file_size" bigint,
	"whatsapp_message_id" text,
	"client_message_id" text,
	"quoted_whatsapp_id" text,
	"quoted_content" text,
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"delivery_status" text,
	"failure_reason" text,
	"response_ms" bigint,
	"edited_at" timestamp with time zone,
	"deleted_at" timestamp with time zone,
	"sort_at" timestamp with time zone NOT NULL,
	"sent_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "messages_whatsapp_id" UNIQUE("instance_id","whatsapp_message_id"),
	CONSTRAINT "messages_client_id" UNIQUE("conversation_id","client_message_id"),
	CONSTRAINT "messages_sender_type" CHECK ("messages"."sender_type" in ('contact', 'user')),
	CONSTRAINT "messages_type" CHECK ("messages"."message_type" in ('text', 'image', 'video', 'audio', 'document', 'sticker', 'contact', 'location', 'poll', 'call', 'unsupported', 'view_tracking', 'warning_auto', 'operator_initiated_warning', 'queue_notification', 'queue_position', 'queue_welcome')),
	CONSTRAINT "messages_delivery_status" CHECK ("messages"."delivery_status" in ('pending', 'sending', 'unknown', 'failed', 'sent', 'delivered', 'read', 'played')),
	CONSTRAINT "messages_contact_has_no_sender" CHECK ("messages"."sender_type" = 'user' or "messages"."sender_id" is null)
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "outbox_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"instance_id" integer NOT NULL,
	"conversation_id" integer NOT NULL,
	"message_id" integer NOT NULL,
	"priority" integer DEFAULT 0 NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"not_before" timestamp with time zone DEFAULT now() NOT NULL,
	"lease_until" timestamp with time zone,
	"tries" integer DEFAULT 0 NOT NULL,
	"first_attempt_at" timestamp with time zone,
	"unknown_since" timestamp with time zone,
	"last_error" text,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "outbox_message_id_unique" UNIQUE("message_id"),
	CONSTRAINT "outbox_state" CHECK ("outbox"."state" in ('pending', 'sending', 'unknown', 'sent', 'failed', 'cancelled'))
);
--> statement-breakpoint
CREATE TABLE "pending_updates" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "pending_updates_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"instance_id" integer NOT NULL,
	"whatsapp_message_id" text NOT NULL,
	"kind" text NOT NULL,
	"data" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "pending_updates_kind" CHECK ("pending_updates"."kind" in ('delivery', 'edit', 'delete', 'reaction'))
);
--> statement-breakpoint
CREATE TABLE "queue_pending_conversations" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "queue_pending_conversations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"conversation_id" integer NOT NULL,
	"contact_id" integer NOT NULL,
	"registered_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	"processed_at" timestamp with time zone,
	CONSTRAINT "queue_pending_conversations_conversation_id_unique" UNIQUE("conversation_id")
);
--> statement-breakpoint
CREATE TABLE "evolution_api_config" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "evolution_api_config_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"instance_name" text NOT NULL,
	"api_key_encrypted" text NOT NULL,
	"api_key_hint" text NOT NULL,
	"base_url" text NOT NULL,
	"webhook_url" text,
	"is_active" boolean DEFAULT true NOT NULL,
	"status" text DEFAULT 'disconnected' NOT NULL,
	"owner_jid" text,
	"profile_name" text,
	"last_connected_at" timestamp with time zone,
	"webhook_secret_encrypted" text,
	"webhook_secret_before_encrypted" text,
	"instance_token_encrypted" text,
	"webhook_set_at" timestamp with time zone,
	"pace_per_second" double precision DEFAULT 10 NOT NULL,
	"next_send_at" timestamp with time zone DEFAULT now() NOT NULL,
	"next_automatic_at" timestamp with time zone DEFAULT now() NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"breaker_until" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "evolution_api_config_instance_name_unique" UNIQUE("instance_name"),
	CONSTRAINT "evolution_api_config_status" CHECK ("evolution_api_config"."status" in ('open', 'connecting', 'close', 'unreachable', 'unauthorized', 'disconnected')),
	CONSTRAINT "evolution_api_config_pace" CHECK ("evolution_api_config"."pace_per_second" > 0)
);
--> statement-breakpoint
CREATE TABLE "webhook_inbox" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "webhook_inbox_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"instance_id" integer,
	"instance_name" text NOT NULL,
	"event" text NOT NULL,
	"dedupe_key" text NOT NULL,
	"lane" text NOT NULL,
	"payload" jsonb NOT NULL,
	"received_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	"processed_at" timestamp with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"not_before" timestamp with time zone DEFAULT now() NOT NULL,
	"dead_reason" text,
	CONSTRAINT "webhook_inbox_dedupe" UNIQUE("instance_name","dedupe_key")
);
--> statement-breakpoint
CREATE TABLE "installation" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"epoch" text NOT NULL,
	"is_demo" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "events" (
	"seq" bigserial PRIMARY KEY NOT NULL,
	"tx" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	"type" text NOT NULL,
	"user_id" integer,
	"conversation_id" integer,
	"message_id" integer,
	"data" jsonb,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "presence" (
	"connection_id" text PRIMARY KEY NOT NULL,
	"process_id" text NOT NULL,
	"user_id" integer NOT NULL,
	"connected_at" timestamp with time zone DEFAULT now() NOT NULL,
	"heartbeat_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_input_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "system_settings" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"values" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"updated_at" timestamp with time zone DEFAULT app_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"count" integer DEFAULT 0 NOT NULL,
	"window_ends_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sessions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"token_hash" text NOT NULL,
	"user_id" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	"last_seen_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	"ended_at" timestamp with time zone,
	"user_agent" text,
	"address" text,
	CONSTRAINT "sessions_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "user_permissions" (
	"user_id" integer PRIMARY KEY NOT NULL,
	"flags" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT app_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "users_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"username" text NOT NULL,
	"email" text NOT NULL,
	"password_hash" text NOT NULL,
	"name" text NOT NULL,
	"role" text DEFAULT 'operator' NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"is_blocked" boolean DEFAULT false NOT NULL,
	"failed_login_attempts" integer DEFAULT 0 NOT NULL,
	"last_login_attempt_at" timestamp with time zone,
	"locked_until" timestamp with time zone,
	"lock_count" integer DEFAULT 0 NOT NULL,
	"deleted_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "users_role" CHECK ("users"."role" in ('admin', 'supervisor', 'operator')),
	CONSTRAINT "users_attempts" CHECK ("users"."failed_login_attempts" between 0 and 3)
);
--> statement-breakpoint
ALTER TABLE "contact_identities" ADD CONSTRAINT "contact_identities_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_instance_id_evolution_api_config_id_fk" FOREIGN KEY ("instance_id") REFERENCES "public"."evolution_api_config"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_assigned_user_id_users_id_fk" FOREIGN KEY ("assigned_user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_last_message_id_messages_id_fk" FOREIGN KEY ("last_message_id") REFERENCES "public"."messages"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_reactions" ADD CONSTRAINT "message_reactions_message_id_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_versions" ADD CONSTRAINT "message_versions_message_id_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_instance_id_evolution_api_config_id_fk" FOREIGN KEY ("instance_id") REFERENCES "public"."evolution_api_config"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_sender_id_users_id_fk" FOREIGN KEY ("sender_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_instance_id_evolution_api_config_id_fk" FOREIGN KEY ("instance_id") REFERENCES "public"."evolution_api_config"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_message_id_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pending_updates" ADD CONSTRAINT "pending_updates_instance_id_evolution_api_config_id_fk" FOREIGN KEY ("instance_id") REFERENCES "public"."evolution_api_config"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "queue_pending_conversations" ADD CONSTRAINT "queue_pending_conversations_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "queue_pending_conversations" ADD CONSTRAINT "queue_pending_conversations_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_inbox" ADD CONSTRAINT "webhook_inbox_instance_id_evolution_api_config_id_fk" FOREIGN KEY ("instance_id") REFERENCES "public"."evolution_api_config"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_permissions" ADD CONSTRAINT "user_permissions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_logs_created" ON "audit_logs" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "audit_logs_resource" ON "audit_logs" USING btree ("resource_type","resource_id");--> statement-breakpoint
CREATE UNIQUE INDEX "contact_categories_name" ON "contact_categories" USING btree (lower("name"));--> statement-breakpoint
CREATE INDEX "contact_identities_contact" ON "contact_identities" USING btree ("contact_id");--> statement-breakpoint
CREATE UNIQUE INDEX "contacts_phone_living" ON "contacts" USING btree ("phone") WHERE "contacts"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "contacts_company" ON "contacts" USING btree ("company_id");--> statement-breakpoint
CREATE UNIQUE INDEX "conversations_one_open" ON "conversations" USING btree ("contact_id","instance_id") WHERE "conversations"."status" <> 'completed';--> statement-breakpoint
CREATE INDEX "conversations_open" ON "conversations" USING btree ("started_at","id") WHERE "conversations"."status" <> 'completed';--> statement-breakpoint
CREATE INDEX "conversations_queue" ON "conversations" USING btree ("started_at","id") WHERE "conversations"."status" <> 'completed' and "conversations"."sub_status" = 'FILA' and "conversations"."waiting_for" = 'operator' and "conversations"."initiated_by" = 'contact';--> statement-breakpoint
CREATE INDEX "conversations_completed" ON "conversations" USING btree ("completed_at","id") WHERE "conversations"."status" = 'completed';--> statement-breakpoint
CREATE INDEX "conversations_assigned" ON "conversations" USING btree ("assigned_user_id") WHERE "conversations"."status" <> 'completed';--> statement-breakpoint
CREATE INDEX "conversations_contact" ON "conversations" USING btree ("contact_id");--> statement-breakpoint
CREATE INDEX "message_versions_message" ON "message_versions" USING btree ("message_id");--> statement-breakpoint
CREATE INDEX "messages_order" ON "messages" USING btree ("conversation_id","sort_at","id");--> statement-breakpoint
CREATE INDEX "messages_response" ON "messages" USING btree ("sort_at") WHERE "messages"."response_ms" is not null;--> statement-breakpoint
CREATE INDEX "outbox_todo" ON "outbox" USING btree ("instance_id","priority","id") WHERE "outbox"."state" = 'pending';--> statement-breakpoint
CREATE INDEX "outbox_open" ON "outbox" USING btree ("conversation_id","id") WHERE "outbox"."state" in ('pending', 'sending', 'unknown');--> statement-breakpoint
CREATE INDEX "outbox_doubtful" ON "outbox" USING btree ("id") WHERE "outbox"."state" in ('sending', 'unknown');--> statement-breakpoint
CREATE INDEX "pending_updates_message" ON "pending_updates" USING btree ("instance_id","whatsapp_message_id");--> statement-breakpoint
CREATE INDEX "webhook_inbox_todo" ON "webhook_inbox" USING btree ("lane","id") WHERE "webhook_inbox"."processed_at" is null and "webhook_inbox"."dead_reason" is null;--> statement-breakpoint
CREATE INDEX "webhook_inbox_order" ON "webhook_inbox" USING btree ("id") WHERE "webhook_inbox"."processed_at" is null and "webhook_inbox"."dead_reason" is null;--> statement-breakpoint
CREATE INDEX "webhook_inbox_dead" ON "webhook_inbox" USING btree ("id") WHERE "webhook_inbox"."dead_reason" is not null;--> statement-breakpoint
CREATE INDEX "webhook_inbox_received" ON "webhook_inbox" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "events_position" ON "events" USING btree ("tx","seq");--> statement-breakpoint
CREATE INDEX "events_created" ON "events" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "presence_process" ON "presence" USING btree ("process_id");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "users_username_living" ON "users" USING btree (lower("username")) WHERE "users"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_living" ON "users" USING btree (lower("email")) WHERE "users"."deleted_at" is null;