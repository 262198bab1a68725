import type { SendResult } from '#server/gateway/evolution/client/answers.ts'
import type { Metrics } from '#server/platform/metrics.ts'
import type { Gateway } from './gateway.ts'

/** Wraps the gateway so that the duration and the result of each send enter the metrics. */
export function measureSends(gateway: Gateway, metrics: Metrics): Gateway {
  const measure = async (send: () => Promise<SendResult>) => {
    const startMs = performance.now()
    const result = await send()
    metrics.gatewayAnswered(result.kind, (performance.now() - startMs) / 1000)
    return result
  }
  return {
    ...gateway,
    sendText: (...send) => measure(() => gateway.sendText(...send)),
    sendMedia: (...send) => measure(() => gateway.sendMedia(...send)),
  }
}
