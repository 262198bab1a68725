-- Addresses of Brazilian mobiles that were made of a typed number, not given by the gateway: WhatsApp may know
-- the number without its 9. The next message gives the address.
UPDATE "contact_identities" SET "jid" = "value"
 WHERE "kind" = 'phone' AND "jid" = "value" || '@s.whatsapp.net' AND "value" ~ '^55[0-9]{2}9[0-9]{8}$';
