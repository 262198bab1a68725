-- A conversation that goes on, or comes to a sector, while that is deleted, or afterwards, has none: who
-- deleted the sector has moved what was open then.
CREATE TRIGGER "sector_of_open" BEFORE UPDATE OF "status", "sector_id" ON "conversations" FOR EACH ROW
  WHEN (NEW.sector_id IS NOT NULL AND NEW.status <> 'completed'
        AND (OLD.status = 'completed' OR NEW.sector_id IS DISTINCT FROM OLD.sector_id))
  EXECUTE FUNCTION "leave_deleted_sector"();--> statement-breakpoint
UPDATE "conversations" v SET "sector_id" = NULL, "version" = v."version" + 1
  FROM "sectors" s WHERE s."id" = v."sector_id" AND s."deleted_at" IS NOT NULL AND v."status" <> 'completed';
