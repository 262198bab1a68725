import { row } from '#shared/endpoint.ts'

/** The gateway proves itself by its secret; a person's session gives nothing. */
export const webhookRow = row({
  id: 'POST /api/webhook/evolution',
  needs: [],
  roles: [],
  audit: { not: "the gateway's, who is nobody; refusals are counted as metrics" },
})
