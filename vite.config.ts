import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Plugin } from 'vite'

const here = import.meta.dirname
const root = resolve(here, 'src/web')
const simulatorSource = resolve(here, 'src/simulator/page/index.html')
const simulatorHtml = resolve(root, 'simulador.html')
const hasSimulator = existsSync(simulatorSource)
const server = process.env.BALCAO_SERVER ?? 'http://localhost:3000'

/**
 * The simulator's page stands outside the root, and Vite names a built page by its place under the root: so it is
 * read as if it were `simulador.html` there. Its own `./main.tsx` keeps its meaning.
 */
function simulatorPage(): Plugin {
  const read = () => readFileSync(simulatorSource, 'utf8').replaceAll('src="./', 'src="/../simulator/page/')
  return {
    name: 'simulator-page',
    enforce: 'pre',
    resolveId: (id) => (id === simulatorHtml ? id : undefined),
    load: (id) => (id === simulatorHtml ? read().replaceAll('"/../', '"../') : undefined),
    configureServer: (dev) => {
      dev.middlewares.use('/simulador', (_request, response, next) => {
        const html = readFileSync(simulatorSource, 'utf8').replaceAll(
          'src="./',
          `src="/@fs${resolve(here, 'src/simulator/page')}/`,
        )
        dev
          .transformIndexHtml('/simulador', html)
          .then((page) => response.setHeader('content-type', 'text/html').end(page), next)
      })
    },
  }
}

const vendor =
  /node_modules\/(react|react-dom|scheduler|@tanstack\/(query-core|react-query)|wouter|regexparam|use-sync-external-store)\//

export default defineConfig({
  // Vitest reads this file too, and looks for tests from its root on.
  root: process.env.VITEST ? here : root,
  publicDir: resolve(root, 'public'),
  plugins: [react(), tailwindcss(), ...(hasSimulator ? [simulatorPage()] : [])],
  build: {
    outDir: resolve(here, 'dist/web'),
    emptyOutDir: true,
    // The policy of the page allows no data: scripts or fonts.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: {
        main: resolve(root, 'index.html'),
        ...(hasSimulator && { simulador: simulatorHtml }),
      },
      output: {
        // What changes with the dependencies alone stays in the browser from release to release.
        codeSplitting: { groups: [{ name: 'vendor', test: vendor }] },
      },
    },
  },
  server: {
    port: 5173,
    fs: { allow: [here] },
    proxy: { '/api': server, '/ws': { target: server, ws: true } },
  },
})
