import { Banner } from '#web/ui/states/banner.tsx'

/** The server marks the page as a demo. */
const isDemo = document.querySelector<HTMLMetaElement>('meta[name="balcao-demo"]')?.content === 'on'

export function DemoRibbon() {
  if (!isDemo) return null
  return (
    <Banner className="min-h-[26px] py-0.5 short:hidden">
      <p className="text-center text-balance">
        Modo de demonstração: nenhum número real recebe mensagens{' '}
        <a
          href="/simulador"
          target="_blank"
          rel="noopener"
          className="ml-1 inline-flex min-h-6 items-center underline underline-offset-2"
        >
          Abrir simulador
        </a>
      </p>
    </Banner>
  )
}
