import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'

const root = resolve(import.meta.dirname, 'src/web')
const server = process.env['BALCAO_SERVER'] ?? 'http://localhost:3000'

/** What changes with the dependencies alone stays in the browser from release to release. */
const vendor =
  /node_modules\/(react|react-dom|scheduler|@tanstack\/(query-core|react-query)|wouter|regexparam|use-sync-external-store)\//

export default defineConfig({
  root,
  plugins: [react(), tailwindcss()],
  build: {
    outDir: resolve(import.meta.dirname, 'dist/web'),
    emptyOutDir: true,
    // The policy of the page allows no data: scripts or fonts.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: { main: resolve(root, 'index.html'), simulador: resolve(root, 'simulador.html') },
      output: {
        codeSplitting: { groups: [{ name: 'vendor', test: vendor }] },
        // Before any schema is made: zod would try whether code may be made of text, and the page's rules, which forbid
        // it, would report a breach at every start.
        banner: 'globalThis.__zod_globalConfig??={jitless:true};',
      },
    },
  },
  server: {
    fs: { allow: [import.meta.dirname] },
    proxy: {
      '/api': server,
      '/simulador/api': server,
      '/ws': { target: server, ws: true },
    },
  },
})
