import { Copy, Download } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#web/ui/buttons/button.tsx'
import { copyText } from '#web/ui/buttons/copy-text.ts'
import { toast } from '#web/ui/states/toast.ts'

/** Codes that are shown this once. */
export function RecoveryCodes({
  codes,
  username,
  onDone,
}: {
  codes: readonly string[]
  username: string
  onDone: () => void
}) {
  const [isKept, setIsKept] = useState(false)
  const text = codes.join('\n')
  const copy = async () => {
    const isCopied = await copyText(text)
    toast({
      title: isCopied ? 'Códigos copiados' : 'Não foi possível copiar',
      tone: isCopied ? 'success' : 'error',
    })
  }
  return (
    <div className="grid gap-3">
      <p className="text-sm text-ink-2">
        Guarde estes {codes.length} códigos de recuperação em lugar seguro. Cada um substitui, uma vez, um
        código do celular. Eles não serão mostrados de novo.
      </p>
      <ul
        aria-label="Códigos de recuperação"
        className="grid grid-cols-2 gap-x-6 gap-y-1.5 rounded-control border border-line bg-sunken p-3.5"
      >
        {codes.map((code) => (
          <li key={code} className="font-mono text-base">
            {code}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button icon={Copy} onClick={() => void copy()}>
          Copiar
        </Button>
        <Button icon={Download} asChild>
          <a
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
            download={`codigos-de-recuperacao-${username}.txt`}
          >
            Baixar .txt
          </a>
        </Button>
      </div>
      <label className="flex items-center gap-2 text-sm">
        <input
          type="checkbox"
          className="size-4 accent-accent"
          checked={isKept}
          onChange={(event) => setIsKept(event.target.checked)}
        />
        Guardei os códigos em lugar seguro
      </label>
      <Button variant="primary" size="tall" disabled={!isKept} className="justify-self-end" onClick={onDone}>
        Concluir
      </Button>
    </div>
  )
}
