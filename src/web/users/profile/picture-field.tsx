import { Camera } from 'lucide-react'
import { useRef } from 'react'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { useMe } from '#web/users/me-context.ts'
import { useSavePicture } from './queries.ts'
import { squareOf } from './square-picture.ts'

/** The own picture, saved as soon as it is chosen. */
export function PictureField() {
  const { name, pictureUrl } = useMe()
  const input = useRef<HTMLInputElement>(null)
  const { mutate, isPending } = useSavePicture()
  const save = (picture: Blob | undefined) =>
    mutate(picture, {
      onSuccess: () => toast({ tone: 'success', title: picture ? 'Foto atualizada' : 'Foto removida' }),
      onError: ({ message }) =>
        toast({ tone: 'error', title: 'Erro ao atualizar perfil', description: message }),
    })
  const choose = async (file: File | undefined) => {
    if (!file) return
    const picture = await squareOf(file)
    if (picture) save(picture)
    else
      toast({
        tone: 'error',
        title: 'Não foi possível ler esta imagem',
        description: 'Escolha um JPG ou PNG.',
      })
  }
  return (
    <div className="flex items-center gap-4">
      <Avatar name={name} src={pictureUrl} size={64} />
      <div>
        <div className="flex flex-wrap gap-2">
          <Button icon={Camera} isBusy={isPending} onClick={() => input.current?.click()}>
            Trocar foto
          </Button>
          {pictureUrl && (
            <Button variant="ghost" onClick={() => save(undefined)}>
              Remover
            </Button>
          )}
        </div>
        <p className="mt-1.5 text-xs text-ink-3">JPG ou PNG, até 2 MB. Sem foto, ficam as iniciais.</p>
        <input
          ref={input}
          type="file"
          hidden
          accept="image/jpeg,image/png"
          aria-label="Foto"
          onChange={(event) => {
            void choose(event.target.files?.[0])
            event.target.value = ''
          }}
        />
      </div>
    </div>
  )
}
