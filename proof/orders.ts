import { migrateDatabase } from '#server/platform/db.ts'
import { readOptions, say } from './command.ts'
import { runOrders } from './orders/orders.ts'
import { startThrowawayDatabase } from './throwaway-database.ts'

/**
 * `npm run orders -- --histories 28 --orders 720 --seed 1`: six events around the choice of pre-attendance, or around a
 * silence that ends a conversation, in every order in which they may reach us; what stands at the end must be what the order
 * in which they happened comes to.
 * @see reliability F-02
 */
const { histories, orders, seed } = readOptions({ histories: 28, orders: 720 })

const { database, close } = await startThrowawayDatabase('orders', 4)
let isGood = false
try {
  await migrateDatabase(database)
  const startMs = performance.now()
  say(`${histories} histórias de seis eventos em ${orders} ordens, semente ${seed}`)
  const { played, differences } = await runOrders(database, { histories, orders, seed }, (done) =>
    say(`  ${done} em ${((performance.now() - startMs) / 1000).toFixed(0)} s`),
  )
  for (const { history, order, expected, got } of differences.slice(0, 10)) {
    say(`✗ ${JSON.stringify(history)} na ordem ${order.join(' ')}`)
    say(`    como aconteceu: ${expected}\n    nesta ordem:    ${got}`)
  }
  say(`${played} ordens, ${differences.length} com outro fim`)
  isGood = played > 0 && differences.length === 0
} finally {
  await close()
}
process.exitCode = isGood ? 0 : 1
