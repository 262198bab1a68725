import { examineInstallation } from '#shared/doctor/doctor.ts'
import { record } from '#server/audit/audit.ts'
import { auditedUrl, ownWebhookUrl } from '#server/gateway/gateway.ts'
import type { Http } from '#server/platform/http/http.ts'
import { type DoctorParts, examine } from './doctor.ts'

export function routes(http: Http, parts: Omit<DoctorParts, 'ownUrl' | 'onWebhookSet'>): void {
  const { database, config } = parts
  http.route(examineInstallation, async ({ who, request }) => {
    const examination = await examine({
      ...parts,
      ownUrl: ownWebhookUrl(request, config),
      async onWebhookSet({ id, instanceName }, url) {
        const details = { instanceName, url: auditedUrl(url) }
        await record(database, who, { action: 'gateway.webhook', resourceId: id, details })
      },
    })
    const faults = examination.findings.filter(({ state }) => state === 'fault').map(({ cause }) => cause)
    await record(database, who, { action: 'gateway.examine', details: { faults } })
    return examination
  })
}
