import { TriangleAlert } from 'lucide-react'
import type { EvolutionConfig } from '#shared/gateway/gateway.ts'

/** What to check when the connection fails. */
export function Troubleshooting({ config }: { config: EvolutionConfig }) {
  return (
    <div className="w-full rounded-card border border-amber-line bg-amber-soft px-4 py-3 text-sm">
      <p className="flex items-center gap-2 font-semibold text-amber-text">
        <TriangleAlert size={16} aria-hidden />O número não está conectado
      </p>
      <ul className="mt-2 grid list-disc gap-1 pl-5 text-ink-2">
        {!config.isActive && <li>A conexão está desativada: ligue-a abaixo e salve.</li>}
        <li>
          Em Conexão com o celular, abaixo, gere um código para <b>{config.instanceName}</b> e leia o QR Code
          com o celular.
        </li>
        <li>Confira a URL base e a chave com o botão Testar Conexão.</li>
        <li>No celular, em Aparelhos conectados, veja se a sessão não foi encerrada.</li>
        {!config.webhookSetAt && <li>O webhook ainda não foi registrado: use Configurar e conferir.</li>}
      </ul>
    </div>
  )
}
